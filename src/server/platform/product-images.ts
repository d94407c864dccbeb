import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { deleteProductImage, type PlatformProduct, putProductImage } from '#contract/system/platform-products.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { sendPublicImage } from '../file-responses/send-file.ts'
import { mountFormCalls } from '../http/forms/mount-form-calls.ts'
import { mount, sendAnswer } from '../http/mount.ts'
import { answerOf, type Problem, problem } from '../http/problem.ts'
import { problemOfFile } from '../images/inspection/image-rejection.ts'
import { productImagesPath } from '../images/store/image-urls.ts'

/** The size limit of an uploaded image in bytes. */
const maxFileBytes = 5 * 1024 * 1024

const folder = 'platform/products'
const imageKey = (imageId: string): string => `${folder}/${imageId}.webp`

/** SQL of the key of the image of product `r`; null for none. */
export const imageKeyColumn = sql<string | null>`${sql.lit(`${folder}/`)} || r.image_file || '.webp'`

type ImageChange = { readonly id: number; readonly user: User; readonly imageId: string | null }

/** Replaces the image of a product, whose former file is removed. Null removes the image. */
const writeImage = (deps: Deps, { id, user, imageId }: ImageChange): Promise<Problem<'not-found'> | undefined> =>
  inTransaction(deps.db, async (tx) => {
    const product = await tx
      .selectFrom('products')
      .select(['name', 'image_file'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!product) return problem('not-found')
    const { name, image_file: formerId } = product
    if (formerId === imageId) return undefined
    // The version does not change: the form of the product does not contain the image, so open forms stay valid.
    await tx.updateTable('products').set({ image_file: imageId }).where('id', '=', id).execute()
    if (formerId !== null) await deps.jobs.enqueue(tx, 'remove-files', { folders: [], keys: [imageKey(formerId)] })
    const detail = { name, before: { image: formerId }, after: { image: imageId } }
    const entry = { action: 'product.changed', entityId: String(id), userId: user.id } as const
    await recordAudit(tx, deps, { studioId: null, ...entry, detail })
    return undefined
  })

type Upload = { readonly id: number; readonly user: User; readonly file: { fileName: string; path: string } }

/** Saves the image of a product, re-encoded: no uploaded byte survives. */
const saveImage = async (deps: Deps, { id, user, file: { fileName, path } }: Upload) => {
  // No studio has the id 0: administrators take turns with the studios.
  const encoded = await deps.fileParsers.makeLogo(path, 0)
  if (!encoded.ok) return problemOfFile(fileName, encoded.refusal, { File: [encoded.refusal.message] })
  // A new key for each image, so that removing the former file never removes a new one.
  const imageId = deps.newId()
  await deps.files.put(imageKey(imageId), encoded.logo.webp)
  const unknown = await writeImage(deps, { id, user, imageId })
  if (unknown) await deps.files.remove(imageKey(imageId))
  return unknown
}

type ReadProduct = (request: { params: { id: number } }) => Promise<PlatformProduct | Problem<'not-found'>>

/** Mounts the calls that set and remove the image of a product, and the public route of the images. */
export const mountProductImages = async (app: FastifyInstance, deps: Deps, read: ReadProduct): Promise<void> => {
  await mountFormCalls({ app, deps, limits: { files: 1, fileBytes: maxFileBytes } }, (mountForm) =>
    mountForm(putProductImage, async ({ params, user, form }) => {
      const file = form.files.find(({ field }) => field === 'File')
      if (!file) return problem('bad-request', undefined, { fields: { File: [validationMessages.required] } })
      return (await saveImage(deps, { id: params.id, user, file })) ?? (await read({ params }))
    }),
  )
  mount(
    app,
    deps,
    deleteProductImage,
    async ({ params, user }) =>
      (await writeImage(deps, { id: params.id, user, imageId: null })) ?? (await read({ params })),
  )
  app.get<{ Params: { imageId: string } }>(`${productImagesPath}/:imageId`, async ({ params }, reply) => {
    const { imageId } = params
    const product = await deps.db
      .selectFrom('products')
      .select('id')
      .where('image_file', '=', imageId)
      .executeTakeFirst()
    const file = product && (await deps.files.read(imageKey(imageId)))
    if (file?.outcome !== 'opened') return sendAnswer(reply, answerOf(problem('not-found')))
    return sendPublicImage(reply, { contentType: 'image/webp', ...file })
  })
}
