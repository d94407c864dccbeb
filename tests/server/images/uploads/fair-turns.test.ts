import { describe, expect, it, onTestFinished } from 'vitest'
import { workOnUploads } from '#server/images/uploads/process-upload.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { testApp } from '#support/server/test-app.ts'
import { createUploadFixtures } from './upload-fixtures.ts'

const filesBefore = 200

describe.each(enginesFor(import.meta.filename))('uploads of several studios, on $name', (engine) => {
  const database = freshDatabase(engine)

  it(`uploads are processed in turns: ${filesBefore} files of one studio do not delay another`, async () => {
    const { deps, tokenOf, studioId, jobId, userId } = await createUploadFixtures(database())
    const jobs = await startBackgroundJobs({ database: database(), log: silentLog, queues, pollSeconds: 0.5 })
    onTestFinished(() => jobs.stop())
    const app = await testApp({ ...deps, jobs })
    const other = await deps.db
      .insertInto('studios')
      .values({ slug: 'another', name: 'Another' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const job = await deps.db
      .insertInto('jobs')
      .values({ studio_id: other.id, name: 'Fall' })
      .returning('id')
      .executeTakeFirstOrThrow()

    /** Sends files that are no images: each is inspected and refused. */
    const send = async (of: { studioId: number; jobId: number }, count: number) => {
      const keys = Array.from({ length: count }, (_, at) => `${of.studioId}a${at}`.padEnd(32, 'b'))
      await deps.db
        .insertInto('uploads')
        .values(
          keys.map((key) => ({
            ...{ studio_id: of.studioId, job_id: of.jobId, upload_key: key, made_by: userId },
            ...{ purpose: 'image' as const, file_name: `${key}.jpg`, byte_size: 4 },
          })),
        )
        .execute()
      await deps.db.updateTable('users').set({ studio_id: of.studioId }).where('id', '=', userId).execute()
      const authorization = `Bearer ${await tokenOf({ studioId: of.studioId })}`
      for (const key of keys) {
        const answer = await app.inject({
          method: 'PATCH',
          url: `/api/studioadmin/studios/${of.studioId}/jobs/${of.jobId}/upload-bytes/${key}`,
          headers: {
            ...{ authorization, 'tus-resumable': '1.0.0', 'upload-offset': '0' },
            'content-type': 'application/offset+octet-stream',
          },
          payload: Buffer.from('none'),
        })
        expect(answer.statusCode).toBe(204)
      }
    }
    const studiosInOrder = async () => {
      const rows = await deps.db
        .selectFrom('processing_log')
        .select('studio_id')
        .where('step', '=', 'upload')
        .orderBy('id')
        .execute()
      return rows.map(({ studio_id }) => studio_id)
    }
    const placesOf = (order: readonly (number | null)[]) =>
      order.flatMap((studio, place) => (studio === other.id ? [place] : []))

    await send({ studioId, jobId }, filesBefore)
    await send({ studioId: other.id, jobId: job.id }, 3)
    await workOnUploads(jobs, deps)
    await expect.poll(studiosInOrder, { timeout: 60_000 }).toHaveLength(filesBefore + 3)
    expect(placesOf(await studiosInOrder())).toEqual([1, 3, 5])
  }, 120_000)
})
