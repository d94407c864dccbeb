import type { FastifyInstance } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { createRenderer } from '#server/images/engine/render-variants.ts'
import { makeVariantsOf } from '#server/images/serving/make-variants.ts'
import { given } from '#support/server/given.ts'
import { staffClient } from '#support/server/staff-client.ts'
import type { CartFixtures } from '#tests/server/carts/cart-fixtures.ts'
import { jpegAt } from '#tests/server/discovery/job-fixtures.ts'
import { multipartPayload } from '#tests/server/images/lookups/form-data.ts'

const render = createRenderer()

/** Staff who replace a job's images by the studio's routes; the new ones can be shown at once. */
export const createReplacingStaff = async (deps: Deps, app: FastifyInstance, { studioId, jobId }: CartFixtures) => {
  const organizationId = await given(deps).organization(studioId)
  await deps.db.updateTable('jobs').set({ organization_id: organizationId }).where('id', '=', jobId).execute()
  const { headersFor } = await staffClient(deps, app, studioId)
  const base = `/api/studioadmin/studios/${studioId}/organizations/${organizationId}/jobs/${jobId}/imagelookups`
  let minute = 0
  const send = async (path: string, fields: Record<string, string>) => {
    minute = (minute + 1) % 60
    const { payload, headers } = await multipartPayload([{ fileName: 'new.jpg', bytes: await jpegAt(minute) }], fields)
    const answer = await app.inject({
      method: 'PATCH',
      url: `${base}${path}`,
      headers: { ...headers, ...(await headersFor()) },
      payload,
    })
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json().data
  }
  const makeVariants = (imageId: number) => makeVariantsOf(deps, { studioId, imageId }, { render })
  return {
    /** Other bytes under the same id. */
    replaceInPlace: async (imageId: number): Promise<number> => {
      await send(`/${imageId}`, {})
      await makeVariants(imageId)
      return imageId
    },
    /** Another image, which open carts get from now on. */
    replaceByAnother: async (imageId: number): Promise<number> => {
      const [{ newImageId }] = await send('/bulk-replace', {
        'ImageMigrationSettings[0].ImageId': String(imageId),
        MigrateUnplacedReferences: 'true',
      })
      await makeVariants(newImageId)
      return newImageId
    },
  }
}
