import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { allCalls } from '#contract/calls.ts'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import type { OtherTenantFixtures } from '../access/authorization/other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from '../access/authorization/sample-calls.ts'
import { multipartPayload } from '../images/lookups/form-data.ts'

/** The scope of a call: its job, its studio, its slug. */
export type CallScope = { readonly studioId: number; readonly jobId: number; readonly slug: string }

/** A caller and their scope. */
export type CallClient = { readonly headers: Readonly<Record<string, string>>; readonly scope: CallScope }

/** The response in one line: status, problem and messages; 'allowed' if the call succeeded. */
export const answerSummary = (answer: LightMyRequestResponse): string => {
  if (answer.statusCode < 300) return 'allowed'
  const { problem, errors } = answer.json() as { problem: string; errors: string[] }
  return `${answer.statusCode} ${problem} ${errors.join(' ')}`
}

/**
 * Makes a call with the ids of the other tenant. `sentText` holds the URL and the body, whose values the response may
 * repeat.
 */
export const callApi = async (
  app: FastifyInstance,
  name: CallName,
  { otherTenant, client }: { otherTenant: OtherTenantFixtures; client: CallClient },
) => {
  const call: AnyCall = allCalls[name]
  const { params, query = {}, body, sends } = sampleCalls[name].parts?.(otherTenant) ?? {}
  const { studioId, jobId, slug } = client.scope
  const url = pathOf(call, { studioId, jobId, slug, ...params }, query)
  const form = sends && (await multipartPayload([{ fileName: '1.jpg', bytes: Buffer.from('no image') }]))
  const answer = await app.inject({
    method: call.method,
    url,
    headers: { ...client.headers, ...form?.headers },
    ...(body && { payload: body }),
    ...(form && { payload: form.payload }),
  })
  return { answer, sentText: `${url} ${JSON.stringify(body)}` }
}

/** Reads first and deletes last. The deletions are in reverse order, so that each call still finds its target. */
export const callNamesInSafeOrder = (): CallName[] => {
  const names = Object.keys(sampleCalls) as CallName[] // `Object.keys` returns `string[]`
  const byMethod = (method: string) => names.filter((name) => allCalls[name].method === method)
  return [
    ...byMethod('GET'),
    ...byMethod('PATCH'),
    ...byMethod('POST'),
    ...byMethod('PUT'),
    ...byMethod('DELETE').reverse(),
  ]
}
