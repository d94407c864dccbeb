import { escapeHtml } from '../http/markup.ts'
import type { JsonSchema } from './json-schema.ts'
import type { OpenApiDocument, Operation } from './openapi-document.ts'
import { referencesOf, schemaHtml } from './schema-html.ts'

/** The address of the index of calls; that of one call is below it. */
export const referencePath = '/api/reference'
export const documentPath = '/api/openapi.json'
export const styleSheetPath = '/api/reference.css'

type LocatedOperation = { readonly method: string; readonly path: string; readonly operation: Operation }

const operationsOf = ({ paths }: OpenApiDocument): LocatedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} | Fieldproof API</title>
<link rel="stylesheet" href="${styleSheetPath}">
</head>
<body>
${body}
</body>
</html>
`

/** Text with the parts between backticks as code. */
const textHtml = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const scopeOf = ({ security }: Operation): string | undefined => security.flatMap((scheme) => scheme.apiToken ?? [])[0]

const callLine = ({ method, path, operation }: LocatedOperation): string => {
  const { operationId, summary, description } = operation
  const scope = scopeOf(operation)
  const parts = [
    `<a href="${referencePath}/${operationId}">${escapeHtml(summary)}</a>`,
    `<br><code>${method} ${escapeHtml(path)}</code>`,
    scope ? ` <small>${scope}</small>` : '',
    description ? `<br>${textHtml(description)}` : '',
  ]
  return `<li>${parts.join('')}</li>`
}

const searchForm = (search: string): string => `<form action="${referencePath}" role="search">
<label>Find a call<input type="search" name="q" value="${escapeHtml(search)}" maxlength="100"></label>
<button>Find</button>
</form>`

const matches = ({ path, operation }: LocatedOperation, words: readonly string[]): boolean => {
  const { operationId, summary, description = '', tags } = operation
  const text = [path, operationId, summary, description, scopeOf(operation), ...tags].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

const webhookLine = ([event, { post }]: [string, OpenApiDocument['webhooks'][string]]): string => {
  const schema = post.requestBody.content['application/json']?.schema ?? {}
  return `<li><b>${escapeHtml(post.summary)}</b> <code>${event}</code><br>${escapeHtml(post.description)}
<details><summary>Body</summary>${schemaHtml(schema)}</details></li>`
}

const signatureText = `Events are posted to a studio’s webhooks as the Standard Webhooks scheme says: verify \`webhook-signature\` with the secret and a library of that scheme, and recognize an event that comes twice by \`webhook-id\`. Events of one order come in order.`

const webhooksHtml = ({ webhooks }: OpenApiDocument): string =>
  `<h2>Webhooks</h2><p>${textHtml(signatureText)}</p><ul class="calls">${Object.entries(webhooks).map(webhookLine).join('\n')}</ul>`

/** The index of all calls by area, or of those that contain each word of a search. */
export const referenceIndex = (document: OpenApiDocument, search: string): string => {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = operationsOf(document).filter((operation) => matches(operation, words))
  const byTag = Map.groupBy(found, ({ operation }) => operation.tags[0] ?? '')
  const sections = document.tags.flatMap(({ name, description }) => {
    const operations = byTag.get(name) ?? []
    if (operations.length === 0) return []
    return `<h2>${escapeHtml(name)}</h2><p>${escapeHtml(description)}</p>
<ul class="calls">${operations.map(callLine).join('\n')}</ul>`
  })
  const results =
    words.length === 0
      ? ''
      : `<p role="status">${found.length} ${found.length === 1 ? 'call' : 'calls'}. <a href="${referencePath}">Show all</a></p>`
  const about = textHtml(document.info.description)
  const body = `<main><h1>Fieldproof API</h1><p>${about}</p>
<p>For programs: <a href="${documentPath}">OpenAPI 3.1 document</a></p>
${searchForm(search)}${results}${sections.join('\n')}${words.length === 0 ? webhooksHtml(document) : ''}</main>`
  return page('Reference', body)
}

const parametersHtml = ({ parameters }: Operation, document: OpenApiDocument): string => {
  const resolved = parameters.flatMap((parameter) =>
    '$ref' in parameter ? (document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []) : parameter,
  )
  const lines = resolved.map(
    ({ name, in: place, required, schema }) =>
      `<li><code>${escapeHtml(name)}</code> in the ${place}${required ? '' : ' (optional)'}: ${schemaHtml(schema)}</li>`,
  )
  return lines.length > 0 ? `<h2>Parameters</h2><ul>${lines.join('\n')}</ul>` : ''
}

const contentHtml = (title: string, content: Readonly<Record<string, { schema: JsonSchema }>> = {}): string =>
  Object.entries(content)
    .map(
      ([type, { schema }]) =>
        `<h2>${title}</h2><p><code>${escapeHtml(type)}</code></p><div>${schemaHtml(schema)}</div>`,
    )
    .join('')

const failuresHtml = ({ responses }: Operation, document: OpenApiDocument): string => {
  const lines = Object.entries(responses).flatMap(([status, response]) => {
    if (!('$ref' in response)) return []
    const description = document.components.responses[response.$ref.split('/').at(-1) ?? '']?.description ?? ''
    return `<li><code>${status}</code> ${escapeHtml(description)}</li>`
  })
  return `<h2>Problems</h2><ul>${lines.join('\n')}</ul>`
}

const accessText = (operation: Operation): string => {
  const scope = scopeOf(operation)
  if (scope) return `A token needs the scope <code>${scope}</code>.`
  if (operation.security.length === 0) return 'Needs no token.'
  return operation.security.some((scheme) => 'session' in scheme)
    ? 'For customers’ screens: needs the cookie of a session.'
    : 'Closed to tokens: needs a sign-in.'
}

/** The page of one call; undefined if there is none of this name. */
export const referenceOfCall = (document: OpenApiDocument, operationId: string): string | undefined => {
  const located = operationsOf(document).find(({ operation }) => operation.operationId === operationId)
  if (!located) return undefined
  const { method, path, operation } = located
  const { schemas } = document.components
  const success = operation.responses['200']
  const answer = success && 'content' in success ? success.content : {}
  const contents = [...Object.values(operation.requestBody?.content ?? {}), ...Object.values(answer)]
  const inParameters = operation.parameters.flatMap((parameter) => ('schema' in parameter ? parameter.schema : []))
  const described = [...inParameters, ...contents.map(({ schema }) => schema)]
  const names = new Set(described.flatMap((schema) => [...referencesOf(schema, schemas)]))
  const types = [...names].map(
    (name) => `<h3 id="type-${name}">${name}</h3><div>${schemaHtml(schemas[name] ?? {})}</div>`,
  )
  const body = `<nav><a href="${referencePath}">Fieldproof API</a></nav><main><h1>${escapeHtml(operation.summary)}</h1>
<pre><code>${method} ${escapeHtml(path)}</code></pre>
<p>${textHtml(operation.description ?? '')} ${accessText(operation)}</p>
${parametersHtml(operation, document)}
${contentHtml('Request', operation.requestBody?.content)}
${contentHtml('Answer', answer)}
${types.length > 0 ? `<h2>Types</h2>${types.join('\n')}` : ''}
${failuresHtml(operation, document)}</main>`
  return page(operation.summary, body)
}
