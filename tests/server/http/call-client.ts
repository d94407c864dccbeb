import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { allCalls } from '#contract/calls.ts'
import { type AnyCall, pathOf } from '#contract/shapes/call.ts'
import type { OtherTenantFixtures } from '../access/authorization/other-tenant-fixtures.ts'
import { type CallName, sampleCalls } from '../access/authorization/sample-calls.ts'
import { multipartPayload } from '../images/lookups/form-data.ts'

/** The scope of a call: its job, its studio, its slug. */
export type CallScope = { readonly studioId: number; readonly jobId: number; readonly slug: string }

/** A caller and their scope. */
export type CallClient = { readonly headers: Readonly<Record<string, string>>; readonly place: CallScope }

/** The response in one line: status, problem and messages; 'open' where the call succeeded. */
export const answerSummary = (answer: LightMyRequestResponse): string => {
  if (answer.statusCode < 300) return 'open'
  const { problem, errors } = answer.json() as { problem: string; errors: string[] }
  return `${answer.statusCode} ${problem} ${errors.join(' ')}`
}

/** Makes a call with the ids of `theirs`. */
export const callApi = async (
  app: FastifyInstance,
  name: CallName,
  { theirs, by }: { theirs: OtherTenantFixtures; by: CallClient },
) => {
  const call: AnyCall = allCalls[name]
  const { params, query = {}, body, sends } = sampleCalls[name].parts?.(theirs) ?? {}
  const { studioId, jobId, slug } = by.place
  const url = pathOf(call, { studioId, jobId, slug, ...params }, query)
  const form = sends && (await multipartPayload([{ fileName: '1.jpg', bytes: Buffer.from('no picture') }]))
  const answer = await app.inject({
    method: call.method,
    url,
    headers: { ...by.headers, ...form?.headers },
    ...(body && { payload: body }),
    ...(form && { payload: form.payload }),
  })
  return { answer, asked: `${url} ${JSON.stringify(body)}` }
}

/** Reads first and deletes last, so that each call finds its target. */
export const callNamesInSafeOrder = (): CallName[] => {
  const calls = Object.entries(allCalls) as [CallName, AnyCall][] // keys are not narrowed by `entries`
  const by = (method: string) => calls.filter(([, call]) => call.method === method).map(([name]) => name)
  return [...by('GET'), ...by('PATCH'), ...by('POST'), ...by('PUT'), ...by('DELETE').reverse()]
}
