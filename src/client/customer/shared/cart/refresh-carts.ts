import { useLayoutEffect } from 'react'
import { listCarts } from '#contract/customer/cart-calls.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { createSignal, useSignal } from '#platform/signal.ts'
import type { JobContextValue } from '../job/job-context.tsx'

/**
 * Minimum milliseconds between two refreshes of the carts: after that, the customer may have used another device in
 * between.
 */
const minRefreshMs = 10_000

/** Whether carts that this device may have lost are being loaded for the first time. */
const cartsLoading = createSignal(false)

/** True while an empty cart may still be loaded from the server: it is not reported as empty before. */
export const useCartsLoading = (): boolean => useSignal(cartsLoading)

/** The job whose carts were last refreshed, and the time of that refresh (`performance.now()`). */
let lastRefresh = { jobId: 0, at: 0 }

const isDue = (jobId: number) => lastRefresh.jobId !== jobId || performance.now() - lastRefresh.at > minRefreshMs

type CartVersion = { id: number | null; orderMethod: string; version: number }

const versionsOf = (carts: readonly CartVersion[]) =>
  String(carts.flatMap(({ id, orderMethod, version }) => (id === null ? [] : [orderMethod, id, version])))

const refresh = async ({
  studioSlug,
  studio,
  jobId,
  orderMethod,
  switchOrderMethod,
}: JobContextValue): Promise<void> => {
  lastRefresh = { jobId, at: performance.now() }
  const response = await callApi(listCarts, { params: { jobId } })
  if (!response.ok) {
    lastRefresh.jobId = 0
    return
  }
  const live = response.data
  const carts = await database.carts.where({ jobId }).toArray()
  if (versionsOf(live) === versionsOf(carts.map(({ cart }) => cart))) return
  // Rarely needed, so it is loaded on demand.
  const { pullJobCarts } = await import('#platform/sync/pull-job-carts.ts')
  const filledMethod = await pullJobCarts({ live, studioSlug, studioId: studio.id, jobId, orderMethod })
  if (filledMethod && filledMethod !== orderMethod) switchOrderMethod(filledMethod)
}

/**
 * Refreshes a job's carts from the server, since another device may have changed them or this one may have lost them:
 * when the job opens, when the page becomes visible after a while, and when the network returns. Offline it does
 * nothing.
 */
export const useRefreshCarts = (job: JobContextValue | null): void => {
  // A layout effect sets the loading state before an empty cart is painted.
  useLayoutEffect(() => {
    if (!job) return
    const { jobId } = job
    const refreshIfDue = async () => {
      if (document.visibilityState !== 'visible' || !online.current() || !isDue(jobId)) return
      cartsLoading.set(lastRefresh.jobId !== jobId)
      await refresh(job).catch(console.warn)
      cartsLoading.set(false)
    }
    const onVisible = () => void refreshIfDue()
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    const unwatch = online.subscribe(onVisible)
    // The database was cleared while the page was open: only the server has the carts.
    const onDeleted = () => {
      lastRefresh.jobId = 0
      return refreshIfDue()
    }
    database.deletedListeners.add(onDeleted)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      unwatch()
      database.deletedListeners.delete(onDeleted)
    }
  }, [job])
}
