import { withSavingStatus } from '#client/customer/shared/cart/use-cart.ts'
import type { ServiceKey, SubjectKey } from '#domain/cart/mutation.ts'
import type { JobServices, OrderService, PersonalizationChoice } from '#domain/cart/order-service-types.ts'
import { setOrderService } from '#local/outbox/set-order-service.ts'
import { removeOrderService } from '#local/outbox/undoable-removals.ts'
import type { CartKey } from '#local/store/rows.ts'
import { database, stamp } from '#platform/database.ts'
import { toastError } from '#ui/toast/toast.ts'
import { lastRemoval, recordDroppedLines } from '../remove-with-undo.ts'

export type CartServiceRequest = {
  owner: SubjectKey
  service: OrderService
  offeredServices: JobServices
  /** The image, for retouching per image. */
  imageLookupId?: number | null
  personalization?: PersonalizationChoice | null
  /** The service that this one replaces. */
  insteadOf?: ServiceKey
}

type ClearServiceRequest = { owner: SubjectKey; orderServiceId: number; name: string; imageLookupId?: number | null }

/** Adds or changes a service at its current price. Returns whether it is in the cart. */
export const setCartService = async (key: CartKey, request: CartServiceRequest): Promise<boolean> => {
  const { owner, service, offeredServices, imageLookupId = null, personalization = null, insteadOf } = request
  const { services: _, ...flags } = offeredServices
  const { subjectId, personId } = owner
  const result = await withSavingStatus(key, () =>
    setOrderService(database, stamp, {
      ...key,
      target: { subjectId, personId, imageLookupId },
      snapshot: { service, flags },
      personalization,
      insteadOf,
    }),
  )
  if (!result.ok) {
    toastError([result.message])
    return false
  }
  recordDroppedLines(key, result.dropped)
  return true
}

/**
 * Removes a service. Its undo notice lists only the dropped add-ons, because another tap adds the service again. Looks
 * the service up by key: the screen's cart may not include the last tap yet. Returns whether the service is removed.
 */
export const clearCartService = async (
  key: CartKey,
  { owner, orderServiceId, name, imageLookupId = null }: ClearServiceRequest,
): Promise<boolean> => {
  const { subjectId, personId } = owner
  const result = await withSavingStatus(key, () =>
    removeOrderService(database, stamp, { ...key, key: { subjectId, personId, orderServiceId, imageLookupId } }),
  )
  if (!result.ok) {
    toastError([result.message])
    return false
  }
  const { removed: lines, services } = result
  if (lines.length > 0) lastRemoval.set({ key, serviceName: name, lines, services, dropped: lines })
  return true
}
