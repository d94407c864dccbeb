import type { AnyCall } from '#contract/shapes/call.ts'
import { type ProblemName, problems } from '#contract/shapes/problems.ts'
import { type ApiScope, apiAreaLabels, apiAreas } from '#domain/developers/api-scopes.ts'
import { scopeOf } from '../access/authorization/call-scopes.ts'
import { type FormFields, formFieldsOf } from './form-calls.ts'
import type { JsonSchema } from './json-schema.ts'
import { describeWebhooks, type WebhookOperation } from './webhook-operations.ts'

/** A call of the contract, its name, and the comment above it. */
export type DescribedCall = { readonly name: string; readonly call: AnyCall; readonly comment: string }

type AnyStruct = AnyCall['params']

type Schemas = {
  readonly schemaOf: (struct: AnyStruct) => JsonSchema
  /** The named schemas that `schemaOf` referred to so far. */
  readonly components: () => object
}

type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: JsonSchema }
type Content = Readonly<Record<string, { schema: JsonSchema }>>
type Response = { $ref: string } | { description: string; content: Content }

/** An operation of the document, as far as the reference page reads it. */
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly (Parameter | { $ref: string })[]
  readonly requestBody?: { required: boolean; content: Content }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

/** The document, as far as the reference page reads it. */
export type OpenApiDocument = {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  /** What is posted to the webhooks of studios, by event. */
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, { description: string; content: Content }>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly securitySchemes: Readonly<Record<string, object>>
  }
}

const otherTags = {
  Account: 'Signing in, the own account, users and settings of a studio; closed to tokens',
  Customers: 'What customers’ screens call, with the cookie of a session',
  Platform: 'For the platform’s administrators; closed to tokens',
}

const tagOf = ({ path }: AnyCall, scope: ApiScope | null): string => {
  const area = apiAreas.find((name) => scope?.startsWith(`${name}:`))
  if (area) return apiAreaLabels[area].name
  if (path.startsWith('/api/customer/')) return 'Customers'
  return path.startsWith('/api/admin/') || path === '/api/health' ? 'Platform' : 'Account'
}

const verbs: Readonly<Record<string, string>> = { post: 'Create', put: 'Replace', patch: 'Change' }

/** “Create order” for `postOrder`. */
const summaryOf = (name: string): string => {
  const [verb = '', ...nouns] = name.split(/(?=[A-Z])/)
  const firstWord = verbs[verb] ?? verb.slice(0, 1).toUpperCase() + verb.slice(1)
  return [firstWord, ...nouns.map((noun) => noun.toLowerCase())].join(' ')
}

const securityOf = ({ who }: AnyCall, scope: ApiScope | null): Operation['security'] => {
  if (who === 'anyone') return []
  if (who === 'session' || who === 'job') return [{ session: [] }]
  return scope === null ? [{ signIn: [] }] : [{ apiToken: [scope] }, { signIn: [] }]
}

const fieldsOf = (struct: AnyStruct): [string, AnyStruct][] => Object.entries(struct.schema ?? {})

const parametersOf = (
  { method, path, params, query, who }: AnyCall,
  { schemaOf }: Schemas,
): Operation['parameters'] => {
  const inPath = fieldsOf(params).filter(([name]) => path.includes(`:${name}`))
  return [
    ...inPath.map(([name, struct]): Parameter => ({ name, in: 'path', required: true, schema: schemaOf(struct) })),
    ...fieldsOf(query).map(
      ([name, struct]): Parameter => ({
        ...{ name, in: 'query', required: !struct.is(undefined) },
        schema: schemaOf(struct),
      }),
    ),
    ...(method === 'GET' || who === 'anyone' ? [] : [{ $ref: '#/components/parameters/IdempotencyKey' }]),
  ]
}

const formSchema = (fields: FormFields): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
  ),
})

const requestBodyOf = ({ name, call }: DescribedCall, { schemaOf }: Schemas): Operation['requestBody'] => {
  const form = formFieldsOf(name)
  if (form) return { required: true, content: { 'multipart/form-data': { schema: formSchema(form) } } }
  if (fieldsOf(call.body).length === 0 && call.body.type === 'object') return undefined
  const schema = schemaOf(call.body)
  return { required: !call.body.is({}), content: { 'application/json': { schema } } }
}

/** Problems that every call may have. */
const commonProblems: readonly ProblemName[] = ['bad-request', 'slow-down', 'maintenance', 'unexpected']

const problemsOf = ({ method, who, problems: own }: AnyCall): ProblemName[] => {
  const isWrite = method !== 'GET'
  return [
    ...new Set<ProblemName>([
      ...own,
      ...commonProblems,
      ...(isWrite ? (['not-allowed', 'too-large', 'unsupported-media'] as const) : []),
      ...(isWrite && who !== 'anyone' ? (['in-flight', 'key-reused'] as const) : []),
    ]),
  ].toSorted()
}

type FailureResponses = Map<string, { description: string; content: Content }>

/** The responses of a call's problems, by status. Calls with the same problems share them. */
const failuresOf = (call: AnyCall, shared: FailureResponses): Record<string, Response> => {
  const byStatus = Map.groupBy(problemsOf(call), (name) => problems[name].status)
  const responses = [...byStatus].map(([status, names]): [string, Response] => {
    const key = `${status}-${names.join('-')}`
    const description = names.map((name) => `${name}: ${problems[name].message}`).join('. ')
    const schema: JsonSchema = { $ref: '#/components/schemas/Failure' }
    shared.set(key, { description, content: { 'application/json': { schema } } })
    return [String(status), { $ref: `#/components/responses/${key}` }]
  })
  return Object.fromEntries(responses)
}

const successOf = ({ answer }: AnyCall, { schemaOf }: Schemas): Response => {
  if (answer.type === 'FileContent') return { description: 'A file', content: { '*/*': { schema: {} } } }
  const schema: JsonSchema = { type: 'object', properties: { data: schemaOf(answer) }, required: ['data'] }
  return { description: 'Done', content: { 'application/json': { schema } } }
}

const operationOf = (described: DescribedCall, schemas: Schemas, failures: FailureResponses): Operation => {
  const { name, call, comment } = described
  const scope = scopeOf(call)
  const requestBody = requestBodyOf(described, schemas)
  return {
    operationId: name,
    summary: summaryOf(name),
    ...(comment !== '' && { description: comment }),
    tags: [tagOf(call, scope)],
    parameters: parametersOf(call, schemas),
    ...(requestBody && { requestBody }),
    responses: { 200: successOf(call, schemas), ...failuresOf(call, failures) },
    security: securityOf(call, scope),
  }
}

const securitySchemes = {
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A token that an owner creates in the studio’s settings. Each call names the scope that the token needs.',
  },
  signIn: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a sign-in' },
  session: { type: 'apiKey', in: 'cookie', name: 'fieldproof_session', description: 'A customer’s session' },
}

const idempotencyKey: Parameter & { description: string } = {
  ...{
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  description: 'A request that is repeated with the same key runs once; the repetition gets the same answer',
}

const description = `Every call answers with JSON: \`{"data": …}\`, or \`{"errors": […], "problem": "…"}\` with the messages and the name of a problem. Send the token as \`Authorization: Bearer fp_…\`. A list call answers with all items, or with a page if \`currentPage\`, \`pageSize\` or \`filter\` is set. Amounts whose names end in “Cents” are whole cents. Instants are in UTC.`

/** Builds the OpenAPI document of these calls. */
export const buildDocument = (calls: readonly DescribedCall[], schemas: Schemas): OpenApiDocument => {
  const failures: FailureResponses = new Map()
  const paths: Record<string, Record<string, Operation>> = {}
  for (const described of calls) {
    const path = described.call.path.replaceAll(/:(\w+)/g, '{$1}')
    const method = described.call.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: operationOf(described, schemas, failures) }
  }
  const failure: JsonSchema = {
    type: 'object',
    properties: {
      errors: { type: 'array', items: { type: 'string' }, description: 'Messages for people' },
      fields: {
        ...{ type: 'object', description: 'Messages by the field that they are about' },
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      problem: { type: 'string', enum: Object.keys(problems) },
    },
    required: ['errors'],
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Fieldproof', version: '1', description },
    servers: [{ url: '/' }],
    tags: [
      ...apiAreas.map((area) => ({ name: apiAreaLabels[area].name, description: apiAreaLabels[area].about })),
      ...Object.entries(otherTags).map(([name, about]) => ({ name, description: about })),
    ],
    paths,
    webhooks: describeWebhooks(),
    components: {
      schemas: { ...(schemas.components() as Record<string, JsonSchema>), Failure: failure },
      responses: Object.fromEntries(failures),
      parameters: { IdempotencyKey: idempotencyKey },
      securitySchemes,
    },
  }
}
