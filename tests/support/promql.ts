import { parser } from '@prometheus-io/lezer-promql';

/**
 * The names of the metrics that an expression asks for. Grafana's variables stand for something that fits.
 * @throws Error where Prometheus would not understand it
 */
export function metricsIn(expression: string): string[] {
  const text = expression.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
  const names: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to, node }) => {
      if (type.isError) throw new Error(`Not PromQL at ${from}: ${expression}`);
      if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        names.push(text.slice(from, to));
    },
  });
  return names;
}
