import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { signToken } from '#support/server/sign-token.ts'
import type { CartFixtures } from '../../carts/cart-fixtures.ts'
import { jpegAt } from '../../discovery/job-fixtures.ts'
import { multipartPayload } from '../../images/lookups/form-data.ts'

const render = createRenderer()

/** Staff who replace a job's images by the studio's routes; the new ones can be shown at once. */
export const replacingStaff = async (deps: Deps, app: FastifyInstance, { studioId, jobId, slug }: CartFixtures) => {
  const { db } = deps
  const { id: organizationId } = await db
    .insertInto('organizations')
    .values({ studio_id: studioId, name: 'Lincoln', type: 'school' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('jobs').set({ organization_id: organizationId }).where('id', '=', jobId).execute()
  const email = `staff@${slug}.test`
  const { id } = await db
    .insertInto('users')
    .values({ email, name: 'Staff', role: 'staff', studio_id: studioId, password_hash: 'x' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const base = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookups`
  let minute = 0
  const send = async (path: string, fields: Record<string, string>) => {
    minute = (minute + 1) % 60
    const { payload, headers } = await multipartPayload([{ fileName: 'new.jpg', bytes: await jpegAt(minute) }], fields)
    const { token } = await signToken(deps, { id, name: 'Staff', email, permissions: ['studio.crud'], studioId })
    const authorization = `Bearer ${token}`
    const answer = await app.inject({
      method: 'PATCH',
      url: `${base}${path}`,
      headers: { ...headers, authorization },
      payload,
    })
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json().data
  }
  const show = (imageId: number) => makeVariantsOf(deps, { studioId, imageId }, { render })
  return {
    /** Other bytes under the same id. */
    inPlace: async (imageId: number): Promise<number> => {
      await send(`/${imageId}`, {})
      await show(imageId)
      return imageId
    },
    /** Another image, which open carts get from now on. */
    byAnother: async (imageId: number): Promise<number> => {
      const [{ newImageId }] = await send('/bulk-replace', {
        'ImageMigrationSettings[0].ImageId': String(imageId),
        MigrateUnplacedReferences: 'true',
      })
      await show(newImageId)
      return newImageId
    },
  }
}
