import { useEffect } from 'react'
import { saveLastOpenedJob } from '#local/session.ts'
import { database } from '#platform/database.ts'
import type { CustomerRoute } from '#platform/urls.ts'

type OpenedJob = CustomerRoute & { studioName: string | undefined }

/** Stores the job this device opened last, once access was granted, for the link back to it. */
export const useSaveLastOpenedJob = ({ studioSlug, jobId, studioName }: OpenedJob, letIn: boolean): void => {
  useEffect(() => {
    if (letIn) void saveLastOpenedJob(database, { studioSlug, jobId, studioName }).catch(console.warn)
  }, [studioSlug, jobId, studioName, letIn])
}
