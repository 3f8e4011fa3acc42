import { createRequire } from 'node:module';
import path from 'node:path';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { refuseOtherMethods } from './methods.ts';
import { pageFile } from './page-file.ts';
import type { Variables } from './requests.ts';

const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Opine API</title>
  <link rel="icon" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="stylesheet" href="/docs/page.css">
</head>
<body>
  <div id="reference"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({
  url: '/api/v1/openapi.app.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const STYLE = `body { margin: 0; }
.swagger-ui .info { margin: 30px 0; }
.swagger-ui .info .renderedMarkdown { max-width: 80ch; }
.swagger-ui .renderedMarkdown code { color: inherit; font-weight: normal; overflow-wrap: anywhere; }
.swagger-ui .scheme-container { margin: 0; padding: 15px 0; box-shadow: none; }
.swagger-ui .response-col_links { display: none; }

@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 0; }
  .swagger-ui .responses-table > thead { display: none; }
  .swagger-ui .responses-table > tbody > .response,
  .swagger-ui .responses-table > tbody > .response > td:not(.response-col_links) { display: block; }
}
`;

/** Mounts `GET /docs`: Swagger UI for the API's document, from local files only. */
export function mountDocs(app: Hono<{ Variables: Variables }>): void {
  const directory = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const docs = new Hono<{ Variables: Variables }>();
  docs.use(
    '/docs/*',
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    }),
  );
  docs.get('/docs', (c) => c.html(PAGE));
  docs.get('/docs/start.js', (c) => c.body(START, 200, { 'Content-Type': 'text/javascript' }));
  docs.get('/docs/page.css', (c) => c.body(STYLE, 200, { 'Content-Type': 'text/css' }));
  for (const file of FILES) docs.get(`/docs/${file}`, pageFile(path.join(directory, file)));
  refuseOtherMethods(docs);
  app.route('/', docs);
}
