import type { FastifyInstance } from 'fastify'
import {
  exportPlatformReport,
  exportReport as exportStudioReport,
  getPlatformReport,
  getReport,
} from '#contract/system/reports.ts'
import { platformReports, studioReports } from '#domain/studio/reports.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { Problem, studioNotFound } from '../http/problem.ts'
import { exportReport } from './export-report.ts'
import { previewReport } from './preview-report.ts'
import { readReportScope } from './read-report-scope.ts'
import { platformDefinitions, studioDefinitions } from './report-definitions.ts'

const readStudioName = async ({ db }: Deps, studioId: number): Promise<string | undefined> =>
  (await db.selectFrom('studios').select('name').where('id', '=', studioId).executeTakeFirst())?.name

/** Mounts the reports of a studio: a page for the screen, and the whole as a file. */
const mountStudioReports = (app: FastifyInstance, deps: Deps): void => {
  mount(app, deps, getReport, async ({ params: { studioId, report }, query: { currentPage, pageSize, ...filter } }) => {
    const scope = await readReportScope(deps, { filter, description: studioReports[report], studioId })
    if (scope instanceof Problem) return scope
    return await previewReport(deps, {
      definition: studioDefinitions[report],
      scope,
      paging: { currentPage, pageSize },
    })
  })
  mount(
    app,
    deps,
    exportStudioReport,
    async ({ params: { studioId, report }, body: { columns, format, ...filter }, user }) => {
      const description = studioReports[report]
      const scope = await readReportScope(deps, { filter, description, studioId })
      if (scope instanceof Problem) return scope
      const owner = await readStudioName(deps, studioId)
      if (owner === undefined) return studioNotFound()
      const { title } = description
      return await exportReport(deps, {
        definition: studioDefinitions[report],
        scope,
        report,
        title,
        owner,
        columns,
        format,
        user,
      })
    },
    { repetition: 'unrecorded' },
  )
}

/** Mounts the same for the reports over all studios. */
const mountPlatformReports = (app: FastifyInstance, deps: Deps): void => {
  mount(
    app,
    deps,
    getPlatformReport,
    async ({ params: { report }, query: { currentPage, pageSize, studioId, ...filter } }) => {
      const scope = await readReportScope(deps, {
        filter,
        description: platformReports[report],
        studioId: studioId ?? null,
      })
      if (scope instanceof Problem) return scope
      return await previewReport(deps, {
        definition: platformDefinitions[report],
        scope,
        paging: { currentPage, pageSize },
      })
    },
  )
  mount(
    app,
    deps,
    exportPlatformReport,
    async ({ params: { report }, body: { columns, format, studioId, ...filter }, user }) => {
      const description = platformReports[report]
      const scope = await readReportScope(deps, { filter, description, studioId: studioId ?? null })
      if (scope instanceof Problem) return scope
      const owner = studioId === undefined ? 'All studios' : await readStudioName(deps, studioId)
      if (owner === undefined) return studioNotFound()
      const { title } = description
      return await exportReport(deps, {
        definition: platformDefinitions[report],
        scope,
        report,
        title,
        owner,
        columns,
        format,
        user,
      })
    },
    { repetition: 'unrecorded' },
  )
}

export const mountReports = (app: FastifyInstance, deps: Deps): void => {
  mountStudioReports(app, deps)
  mountPlatformReports(app, deps)
}
