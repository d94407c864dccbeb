import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import * as calls from '#contract/system/watermarks.ts'
import { type WatermarkDraft, watermarkMessages, watermarkRules } from '#domain/platform/watermark.ts'
import { fixFieldsMessage, validationMessages } from '#domain/shared/validators.ts'
import { inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mountFormCalls } from '../http/forms/mount-form-calls.ts'
import { mount } from '../http/mount.ts'
import { type Problem, problem } from '../http/problem.ts'
import { openImage } from '../images/engine/image-engine.ts'
import { drawMarkSamples } from '../images/engine/mark-samples.ts'
import type { Mark } from '../images/engine/watermark.ts'
import { problemOfFile } from '../images/inspection/image-rejection.ts'
import { fileSizeOf, readWholeFile } from '../images/store/image-files.ts'
import { markImageKey } from '../images/store/image-mark.ts'
import * as runs from '../images/store/preview-runs.ts'
import { studioExists } from '../studio/store/find-studio.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'

/** The size limit of an uploaded image in bytes. */
const maxFileBytes = 5 * 1024 * 1024

const fieldProblem = (field: string, message: string): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields: { [field]: [message] } })

const checkReferences = async (
  { files }: Deps,
  tx: Transaction,
  { kind, imageHash, studioId }: WatermarkDraft,
): Promise<Problem<'refused'> | undefined> => {
  const isMissing = kind === 'image' && (await fileSizeOf(files, markImageKey(imageHash ?? ''))) === undefined
  if (isMissing) return fieldProblem('imageHash', watermarkMessages.image)
  if (studioId === null || (await studioExists(tx, studioId))) return undefined
  return fieldProblem('studioId', watermarkMessages.studio)
}

/** Makes a watermark the default, or no longer. The default before it, of the same studio or of all, is no longer one. */
const writeDefault = async (tx: Transaction, id: number, { isDefault, studioId }: WatermarkDraft): Promise<void> => {
  if (isDefault) {
    await tx
      .updateTable('watermarks')
      .set({ is_default: false, version: sql`version + 1` })
      .where('is_default', '=', true)
      .where(sql<boolean>`studio_id is not distinct from ${studioId}::bigint`)
      .where('id', '<>', id)
      .execute()
  }
  await tx.updateTable('watermarks').set({ is_default: isDefault }).where('id', '=', id).execute()
}

const jobCount = sql`(select count(*) from jobs j where j.watermark_id = r.id)`

const watermarks = (deps: Deps): PlatformResource<WatermarkDraft> => ({
  table: 'watermarks',
  noun: 'watermark',
  columns: sql`
    r.id, r.name, r.kind, coalesce(r.text, '') as text, r.image_hash as "imageHash", r.opacity_percent as "opacityPercent",
    r.placement, r.studio_id as "studioId", (select s.name from studios s where s.id = r.studio_id) as "studioName",
    r.is_default and r.archived_at is null as "isDefault", ${jobCount} as "jobCount",
    r.archived_at is not null as "isArchived", r.version`,
  name: sql`r.name`,
  sorts: { name: sql`lower(r.name)`, jobs: sql`"jobCount"` },
  rules: watermarkRules,
  valuesOf: ({ name, kind, text, imageHash, opacityPercent, placement, studioId }) => ({
    ...{ name: name.trim(), kind, opacity_percent: opacityPercent, placement, studio_id: studioId, is_default: false },
    ...{ text: kind === 'text' ? text.trim() : null, image_hash: kind === 'image' ? imageHash : null },
  }),
  checkDraft: (tx, draft) => checkReferences(deps, tx, draft),
  writeLinks: writeDefault,
  afterChange: (tx) => runs.requestPreviewRuns(tx, deps, null),
  isUsed: sql<boolean>`exists (select from jobs j where j.watermark_id = r.id)`,
})

/** Stores the image of a watermark, re-encoded: no uploaded byte survives. */
const saveImage = async (deps: Deps, { fileName, path }: { fileName: string; path: string }) => {
  // No studio has the id 0: administrators take turns with the studios.
  const encoded = await deps.fileParsers.makeLogo(path, 0)
  if (!encoded.ok) return problemOfFile(fileName, encoded.refusal, { File: [encoded.refusal.message] })
  const { webp, hash: imageHash } = encoded.logo
  const { isOpaque } = await openImage(webp).stats()
  if (isOpaque) return problem('refused', watermarkMessages.opaque, { fields: { File: [watermarkMessages.opaque] } })
  await deps.files.put(markImageKey(imageHash), webp)
  return { imageHash }
}

const toDataUrl = (webp: Buffer): string => `data:image/webp;base64,${webp.toString('base64')}`

type Sampled = Pick<Mark, 'opacityPercent' | 'placement'> & { readonly text?: string; readonly imageHash?: string }

const drawSample = async (deps: Deps, { imageHash, text = '', ...mark }: Sampled) => {
  const image = imageHash === undefined ? undefined : await readWholeFile(deps.files, markImageKey(imageHash))
  if (imageHash !== undefined && !image) return fieldProblem('imageHash', watermarkMessages.image)
  const { light, dark } = await drawMarkSamples({ key: '', text, ...mark, ...(image && { image }) })
  return { light: toDataUrl(light), dark: toDataUrl(dark) }
}

const mountImages = (app: FastifyInstance, deps: Deps): Promise<void> =>
  mountFormCalls({ app, deps, limits: { files: 1, fileBytes: maxFileBytes } }, (mountForm) =>
    mountForm(calls.postWatermarkImage, async ({ form }) => {
      const file = form.files.find(({ field }) => field === 'File')
      if (!file) return problem('bad-request', undefined, { fields: { File: [validationMessages.required] } })
      return await saveImage(deps, file)
    }),
  )

/** Mounts the calls for watermarks, and for the runs that make previews again after a change. */
export const mountWatermarks = async (app: FastifyInstance, deps: Deps): Promise<void> => {
  const handlers = resourceHandlers<calls.PlatformWatermark, WatermarkDraft>(deps, watermarks(deps))
  mount(app, deps, calls.listWatermarks, handlers.list)
  mount(app, deps, calls.getWatermark, handlers.get)
  mount(app, deps, calls.postWatermark, handlers.post)
  mount(app, deps, calls.putWatermark, handlers.put)
  mount(app, deps, calls.deleteWatermark, handlers.remove)
  await mountImages(app, deps)
  mount(app, deps, calls.getWatermarkSample, ({ query }) => drawSample(deps, query))
  mount(app, deps, calls.listPreviewRuns, () => runs.readPreviewRuns(deps.db))
  mount(app, deps, calls.cancelPreviewRun, async ({ params: { id } }) => {
    await runs.cancelPreviewRun(deps, id)
    return await runs.readPreviewRuns(deps.db)
  })
  mount(app, deps, calls.startPreviewRun, async ({ params: { id } }) => {
    await inTransaction(deps.db, (tx) => runs.startPreviewRun(tx, deps, id))
    return await runs.readPreviewRuns(deps.db)
  })
}
