import { useEffect } from 'react'
import { rememberVisit } from '../../local/visits.ts'
import { local } from '../device/local.ts'
import type { CustomerRoute } from '../shell/urls.ts'

/** Keeps where this device was last, for the way back in, once it was let in. */
export const useRememberedVisit = ({ studioSlug, jobId }: CustomerRoute, letIn: boolean): void => {
  useEffect(() => {
    if (letIn) void rememberVisit(local, { studioSlug, jobId }).catch(console.warn)
  }, [studioSlug, jobId, letIn])
}
