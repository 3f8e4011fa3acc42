/** What the page reads of the API's document (OpenAPI 3.1). */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly schemas: Schemas;
  };
}

/** An operation of the document. */
export interface ApiOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  /** By status. */
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
}

interface ApiResponse {
  readonly description: string;
  readonly headers: object;
  readonly content: Content;
}

/** By media type. */
type Content = Readonly<Record<string, Media>>;

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  /** By name. */
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** An operation with its route. */
export interface Route extends ApiOperation {
  readonly method: string;
  readonly path: string;
}

/** The keywords of JSON Schema that the API's document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly contentSchema?: Schema;
  readonly [keyword: string]: unknown;
}

/** The schemas of a document, by name. */
export type Schemas = Readonly<Record<string, Schema>>;
