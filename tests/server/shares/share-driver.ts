import { redeemCode } from '#contract/customer/session-calls.ts'
import { deleteShare, listShares, postShare } from '#contract/customer/share-calls.ts'
import { getSharedImages } from '#contract/customer/shared-images.ts'
import type { Database } from '#server/database/database.ts'
import { manualClock, testApp, testDeps } from '#support/server/test-app.ts'
import { type CustomerClient, customerClient } from '#tests/server/discovery/customer-client.ts'
import { addImage, jpegAt, seedJobs } from '#tests/server/discovery/job-fixtures.ts'

/** A parent who sees the images of Ada, a visitor without a session, and their calls. */
export const shareDriver = async (database: Database) => {
  const time = manualClock()
  const deps = testDeps(database, time)
  const app = await testApp(deps)
  const jobs = await seedJobs(deps)
  const { studioId, spring, ada, ben, grade } = jobs
  const add = async (minute: number, owner: { subjectId: number } | { groupId: number }, isPublished = true) => {
    const image = {
      fileName: `IMG_${minute}.jpg`,
      owner:
        'subjectId' in owner
          ? ({ kind: 'hosted-individual', ...owner } as const)
          : ({ kind: 'hosted-group', ...owner } as const),
      position: minute,
      publishedAt: isPublished ? deps.clock() : null,
    }
    return await addImage(deps, spring, image, await jpegAt(minute))
  }
  const first = await add(1, { subjectId: ada })
  const second = await add(2, { subjectId: ada })
  const unpublished = await add(3, { subjectId: ada }, false)
  const ofBen = await add(4, { subjectId: ben })
  const ofGroup = await add(5, { groupId: grade })

  const enter = async (code: string): Promise<CustomerClient> => {
    const customer = customerClient(app)
    await customer.request(redeemCode, { params: { slug: 'riverside' }, query: { code } })
    return customer
  }
  const parent = await enter('ADALVL')
  const params = { jobId: spring.jobId, subjectId: ada }
  const share = (imageIds: readonly number[], { by = parent, subjectId = ada, jobId = spring.jobId } = {}) =>
    by.request(postShare, { params: { jobId, subjectId }, body: { imageIds } })
  const list = async (by = parent) => (await by.request(listShares, { params })).data.shares
  const stop = (shareId: number, by = parent) => by.request(deleteShare, { params: { ...params, shareId } })

  const visitor = customerClient(app, '198.51.100.7')
  const open = (token: string, slug = 'riverside') => visitor.request(getSharedImages, { params: { slug, token } })
  const view = async (token: string) => {
    const { status, data } = await open(token)
    return { status, urls: ((data?.images ?? []) as { previewUrl: string }[]).map(({ previewUrl }) => previewUrl) }
  }
  const statusOf = async (url = '') => (await visitor.get(url)).statusCode
  const set = (table: 'jobs' | 'studios' | 'subjects' | 'image_lookups', id: number, columns: object) =>
    deps.db.updateTable(table).set(columns).where('id', '=', id).execute()
  /** A share of both images, its token and the addresses of its images. */
  const shareBoth = async () => {
    const { token, share: created } = (await share([first, second])).data
    return { token: token as string, id: created.id as number, urls: (await view(token)).urls }
  }
  return {
    ...{ deps, app, time, jobs, studioId, spring, ada, ben, ids: { first, second, unpublished, ofBen, ofGroup } },
    ...{ enter, parent, visitor, share, list, stop, open, view, statusOf, set, shareBoth },
    advanceDays: (days: number) => time.advance(days * 24 * 60 * 60 * 1000),
  }
}
