import { describe, expect, it, onTestFinished } from 'vitest'
import { startUploadWorkers } from '#server/images/uploads/process-upload.ts'
import { startBackgroundJobs } from '#server/queue/background-jobs.ts'
import { queues } from '#server/queue/queues.ts'
import { enginesFor, freshDatabase, silentLog } from '#support/database/test-database.ts'
import { given } from '#support/server/given.ts'
import { testApp } from '#support/server/test-app.ts'
import { createUploadFixtures } from './upload-fixtures.ts'

const queuedFiles = 200

describe.each(enginesFor(import.meta.filename))('uploads of several studios, on $name', (engine) => {
  const database = freshDatabase(engine)

  it(`studios take turns: ${queuedFiles} uploads of one studio do not delay another studio`, async () => {
    const { deps, tokenOf, studioId, jobId, userId } = await createUploadFixtures(database())
    const jobs = await startBackgroundJobs({ database: database(), log: silentLog, queues, pollSeconds: 0.5 })
    onTestFinished(() => jobs.stop())
    const app = await testApp({ ...deps, jobs })
    const job = await given(deps).job(await given(deps).studio({ slug: 'another' }), { name: 'Fall' })

    /** Sends files that are not images, so that each is inspected and refused. */
    const send = async (uploadJob: { studioId: number; jobId: number }, count: number) => {
      const keys = Array.from({ length: count }, (_, index) => `${uploadJob.studioId}a${index}`.padEnd(32, 'b'))
      await deps.db
        .insertInto('uploads')
        .values(
          keys.map((key) => ({
            ...{ studio_id: uploadJob.studioId, job_id: uploadJob.jobId, upload_key: key, made_by: userId },
            ...{ purpose: 'image' as const, file_name: `${key}.jpg`, byte_size: 4 },
          })),
        )
        .execute()
      await deps.db.updateTable('users').set({ studio_id: uploadJob.studioId }).where('id', '=', userId).execute()
      const authorization = `Bearer ${await tokenOf({ studioId: uploadJob.studioId })}`
      for (const key of keys) {
        const answer = await app.inject({
          method: 'PATCH',
          url: `/api/studioadmin/studios/${uploadJob.studioId}/jobs/${uploadJob.jobId}/upload-bytes/${key}`,
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
    const findPositions = (order: readonly (number | null)[]) =>
      order.flatMap((studio, position) => (studio === job.studioId ? [position] : []))

    await send({ studioId, jobId }, queuedFiles)
    await send(job, 3)
    await startUploadWorkers(jobs, deps)
    await expect.poll(studiosInOrder, { timeout: 60_000 }).toHaveLength(queuedFiles + 3)
    expect(findPositions(await studiosInOrder())).toEqual([1, 3, 5])
  }, 120_000)
})
