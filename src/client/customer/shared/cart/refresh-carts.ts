import { useLayoutEffect } from 'react'
import { listCarts } from '#contract/customer/cart-calls.ts'
import { callApi } from '#platform/api/api.ts'
import { database } from '#platform/database.ts'
import { online } from '#platform/online.ts'
import { createSignal, useSignal } from '#platform/signal.ts'
import type { JobContextValue } from '../job/job-context.tsx'

/** Milliseconds within which the server's carts are not asked for again: coming back after that may be coming back from another device. */
const restMs = 10_000

/** Whether the server is being asked for the first time for carts that this device may have lost. */
const arriving = createSignal(false)

/** True while a cart that is empty here may still come from the server: absence is not claimed before. */
export const useCartsLoading = (): boolean => useSignal(arriving)

/** The event whose carts were asked for last, and when, in milliseconds of this page's life. */
let last = { jobId: 0, at: 0 }

const isDue = (jobId: number) => last.jobId !== jobId || performance.now() - last.at > restMs

type Standing = { id: number | null; orderMethod: string; version: number }

const words = (carts: readonly Standing[]) =>
  String(carts.flatMap(({ id, orderMethod, version }) => (id === null ? [] : [orderMethod, id, version])))

const look = async ({ studioSlug, studio, jobId, orderMethod, chooseOrderMethod }: JobContextValue): Promise<void> => {
  last = { jobId, at: performance.now() }
  const answer = await callApi(listCarts, { params: { jobId } })
  if (!answer.ok) {
    last.jobId = 0
    return
  }
  const live = answer.data
  const kept = await database.carts.where({ jobId }).toArray()
  if (words(live) === words(kept.map(({ cart }) => cart))) return
  // Code that hardly anybody needs.
  const { pullJobCarts } = await import('#platform/sync/pull-job-carts.ts')
  const filled = await pullJobCarts({ live, studioSlug, studioId: studio.id, jobId, orderMethod })
  if (filled && filled !== orderMethod) chooseOrderMethod(filled)
}

/**
 * Keeps an event's carts the server's where another device may have changed them, or this one lost them: asked for as the event opens,
 * as its page is seen again after long, and once there is a network. Without one nothing happens.
 */
export const useRefreshCarts = (event: JobContextValue | null): void => {
  // Before the first look of an empty cart is painted.
  useLayoutEffect(() => {
    if (!event) return
    const { jobId } = event
    const lookIfDue = async () => {
      if (document.visibilityState !== 'visible' || !online.current() || !isDue(jobId)) return
      arriving.set(last.jobId !== jobId)
      await look(event).catch(console.warn)
      arriving.set(false)
    }
    const seen = () => void lookIfDue()
    seen()
    document.addEventListener('visibilitychange', seen)
    const unwatch = online.subscribe(seen)
    // What lay here was cleared away under the open page: the server's carts are all there is.
    const cleared = () => {
      last.jobId = 0
      seen()
    }
    database.clearedListeners.add(cleared)
    return () => {
      document.removeEventListener('visibilitychange', seen)
      unwatch()
      database.clearedListeners.delete(cleared)
    }
  }, [event])
}
