/** Whether a schema says what it is: by itself, or by the component that it refers to. */
const isDescribed = (schema) => Boolean(schema.description || schema.$ref || schema.allOf);

/** Reports each named schema and each property without a description. Parameters have a rule of Redocly's own. */
function described() {
  const check = (schemas, { report, location }) => {
    for (const [name, schema] of Object.entries(schemas)) {
      if (!isDescribed(schema))
        report({ message: `${name} needs a description.`, location: location.child(name) });
    }
  };
  return { NamedSchemas: check, SchemaProperties: check };
}

export default function opine() {
  return { id: 'opine', rules: { oas3: { described } } };
}
