import { enums, type Infer, nullable, object, string, type } from 'superstruct'
import { call } from '../shapes/call.ts'
import { Bytes, Count, Id, Instant } from '../shapes/primitives.ts'
import { administrators, owners, readProblems, studioParams, studioPath } from '../shapes/staff-call.ts'

/** The export of everything that a studio stores, as one ZIP. A studio has at most one; a new one replaces it. */
export const StudioExport = type({
  state: enums(['making', 'ready', 'failed']),
  startedAt: Instant,
  startedBy: nullable(string()),
  /** When its files are removed; null until they are ready. */
  expiresAt: nullable(Instant),
})
export type StudioExport = Infer<typeof StudioExport>

/** `export` is null if there is none, or if its files were removed. */
const StudioExportAnswer = type({ export: nullable(StudioExport) })

const path = `${studioPath}/data-export` as const
const exportCall = { who: owners, params: object(studioParams), problems: readProblems }

export const getStudioExport = call({ ...exportCall, method: 'GET', path, answer: StudioExportAnswer })

/** Starts an export, unless one is being made. The owners are emailed when it is ready. */
export const startStudioExport = call({ ...getStudioExport, method: 'POST' })

/**
 * A link to the ZIP, valid for 10 to 15 minutes, for the owners only. A download that was started can be resumed for another day
 * (`If-Range`).
 */
export const getStudioExportFile = call({
  ...getStudioExport,
  path: `${path}/file`,
  answer: type({ zipUrl: string(), fileCount: Count, bytes: Bytes }),
  problems: [...readProblems, 'refused'],
})

const platform = { who: administrators, params: object({ id: Id }), problems: readProblems }
const platformPath = '/api/admin/studios/:id/data-export'

export const getPlatformStudioExport = call({
  ...platform,
  method: 'GET',
  path: platformPath,
  answer: StudioExportAnswer,
})

/** As `startStudioExport`: only the owners can download the export. */
export const startPlatformStudioExport = call({ ...getPlatformStudioExport, method: 'POST' })
