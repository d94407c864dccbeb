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
const arriving = createSignal(false)

/** True while an empty cart may still be loaded from the server: it is not reported as empty before. */
export const useCartsLoading = (): boolean => useSignal(arriving)

/** The job whose carts were refreshed last, and when (`performance.now()`). */
let last = { jobId: 0, at: 0 }

const isDue = (jobId: number) => last.jobId !== jobId || performance.now() - last.at > minRefreshMs

type CartVersion = { id: number | null; orderMethod: string; version: number }

const words = (carts: readonly CartVersion[]) =>
  String(carts.flatMap(({ id, orderMethod, version }) => (id === null ? [] : [orderMethod, id, version])))

const refresh = async ({
  studioSlug,
  studio,
  jobId,
  orderMethod,
  chooseOrderMethod,
}: JobContextValue): Promise<void> => {
  last = { jobId, at: performance.now() }
  const response = await callApi(listCarts, { params: { jobId } })
  if (!response.ok) {
    last.jobId = 0
    return
  }
  const live = response.data
  const carts = await database.carts.where({ jobId }).toArray()
  if (words(live) === words(carts.map(({ cart }) => cart))) return
  // Rarely needed code.
  const { pullJobCarts } = await import('#platform/sync/pull-job-carts.ts')
  const filled = await pullJobCarts({ live, studioSlug, studioId: studio.id, jobId, orderMethod })
  if (filled && filled !== orderMethod) chooseOrderMethod(filled)
}

/**
 * Refreshes a job's carts from the server, since another device may have changed them or this one may have lost them:
 * when the job opens, when the page becomes visible after a while, and when the network returns. Offline it does
 * nothing.
 */
export const useRefreshCarts = (event: JobContextValue | null): void => {
  // Before an empty cart is painted.
  useLayoutEffect(() => {
    if (!event) return
    const { jobId } = event
    const lookIfDue = async () => {
      if (document.visibilityState !== 'visible' || !online.current() || !isDue(jobId)) return
      arriving.set(last.jobId !== jobId)
      await refresh(event).catch(console.warn)
      arriving.set(false)
    }
    const onVisible = () => void lookIfDue()
    onVisible()
    document.addEventListener('visibilitychange', onVisible)
    const unwatch = online.subscribe(onVisible)
    // The database was cleared while the page was open: only the server has the carts.
    const cleared = () => {
      last.jobId = 0
      onVisible()
    }
    database.clearedListeners.add(cleared)
    return () => {
      document.removeEventListener('visibilitychange', onVisible)
      unwatch()
      database.clearedListeners.delete(cleared)
    }
  }, [event])
}
