import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import papaparse from 'papaparse'
import { readSheet } from 'read-excel-file/node'
import type { Permission } from '#contract/shapes/call.ts'
import type { Deps } from '#server/deps.ts'
import { staffClient } from '#support/server/staff-client.ts'

const ownerPermissions: readonly Permission[] = ['studio.crud', 'studio.users.crud', 'studio.financials.read']

export type ExportFile = (
  path: string,
  payload: object,
  permissions?: readonly Permission[],
) => Promise<LightMyRequestResponse>

type Query = Readonly<Record<string, string>>

/** An owner's calls of the reports. Files are read by libraries that did not write them. */
export const reportClient = async (deps: Deps, app: FastifyInstance, studioId: number) => {
  const { staffRequest, headersFor, id } = await staffClient(deps, app, studioId, { permissions: ownerPermissions })
  const exportFile: ExportFile = async (path, payload, permissions = ownerPermissions) => {
    const url = path.startsWith('/') ? path : `/api/studioadmin/studios/${studioId}/reports/${path}/export`
    return await app.inject({ method: 'POST', url, headers: await headersFor({ permissions }), payload })
  }
  const exportCsv = async (path: string, payload: object = {}, permissions?: readonly Permission[]) => {
    const answer = await exportFile(path, payload, permissions)
    if (answer.statusCode !== 200) throw new Error(`the export of ${path} was answered with ${answer.body}`)
    return papaparse.parse<string[]>(answer.body.replace(/^\uFEFF/, ''), { skipEmptyLines: true }).data
  }
  const exportXlsx = async (path: string, payload: object = {}, permissions?: readonly Permission[]) => {
    const answer = await exportFile(path, { ...payload, format: 'xlsx' }, permissions)
    return await readSheet(answer.rawPayload)
  }
  const preview = async (report: string, query: Query = {}) =>
    (await staffRequest('GET', `reports/${report}?${new URLSearchParams(query)}`)).data
  /** An administrator’s page of a report over all studios. */
  const previewPlatform = async (report: string, query: Query = {}) => {
    const headers = await headersFor({ permissions: ['studio.admin.crud'] })
    const url = `/api/admin/reports/${report}?${new URLSearchParams(query)}`
    return (await app.inject({ method: 'GET', url, headers })).json().data
  }
  return { id, staffRequest, headersFor, exportFile, exportCsv, exportXlsx, preview, previewPlatform }
}
