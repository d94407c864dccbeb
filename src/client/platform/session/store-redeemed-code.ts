import type { RedeemedCode } from '#contract/customer/session-calls.ts'
import { saveAccessCode, saveConfirmedSubject } from '#local/session.ts'
import { notifyCacheUpdate } from '../api/cache-updates.ts'
import { clearQueryCache } from '../api/use-query.ts'
import { database } from '../database.ts'
import { prefetchSubject } from '../service-worker/prefetch.ts'
import { type CustomerRoute, urls } from '../urls.ts'

/** A redeemed code and its studio. */
type CodeToStore = RedeemedCode & { studioSlug: string; code: string }

/** Stores a redeemed code with what it opened, and loads the subject's data ahead. The session has changed: all cached responses are dropped. */
export const storeRedeemedCode = async ({ studioSlug, code, studioId, jobId, subject }: CodeToStore): Promise<void> => {
  await saveAccessCode(database, { studioSlug, studioId, jobId, code, subjectId: subject?.id ?? null })
  if (subject) await saveConfirmedSubject(database, { jobId, subjectId: subject.id })
  clearQueryCache()
  notifyCacheUpdate(null)
  if (subject) prefetchSubject({ studioSlug, studioId, jobId, subjectId: subject.id })
}

type CodeTarget = CustomerRoute & { subjectId?: number | null | undefined }

/** The screen that a redeemed code leads to: its subject's packages, or the search of its job. */
export const urlOfCodeTarget = ({ subjectId, ...route }: CodeTarget): string =>
  subjectId ? urls.selectPackage({ ...route, subjectId }) : urls.subjectSearch(route)
