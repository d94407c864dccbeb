import type { CartPackage } from '#domain/cart/cart.ts'
import type { RecordedMutation, ServiceKey } from '#domain/cart/mutation.ts'
import { type ChangeResult, stepQuantity } from '#local/cart.ts'
import { moveRetouch, removeLine, removeOrderService, undoRemoval } from '#local/outbox/undoable-removals.ts'
import type { CartKey } from '#local/store/rows.ts'
import { database, stamp } from '#platform/database.ts'
import { createSignal } from '#platform/signal.ts'
import { toastError } from '#ui/toast/toast.ts'
import { withSavingStatus } from '../shared/cart/use-cart.ts'
import type { OrderedService } from '../shared/order-services/ordered-services.ts'
import { type CartImage, imageLabel } from './cart-images.ts'

/**
 * The last removal in this tab, replaced by the next one. `lines`: all removed lines; `dropped`: those that depended on
 * what the customer removed. `serviceName`: the service that the customer removed or moved. `services`: mutations that
 * order all removed services again. `replacement`: the service on its new image, if it was moved.
 */
export const lastRemoval = createSignal<{
  key: CartKey
  serviceName: string | null
  lines: CartPackage[]
  dropped: CartPackage[]
  services: RecordedMutation[]
  replacement?: { key: ServiceKey; label: string }
} | null>(null)

/** Removes a line with its dependent lines. All of it can be undone. */
export const removeLineWithUndo = async (key: CartKey, lineId: string): Promise<boolean> => {
  const result = await removeLine(database, stamp, { ...key, lineId })
  // A second tap can arrive before the screen updates: the line is already removed, and its undo notice stays.
  if (!result.ok && result.problem === 'line-unknown') return true
  if (!result.ok) {
    toastError([result.message])
    return false
  }
  const { removed: lines, services } = result
  const dropped = lines.filter((line) => line.lineId !== lineId)
  lastRemoval.set({ key, serviceName: null, lines, services, dropped })
  return true
}

/** Removes a service with the add-ons that depended on it. All of it can be undone. */
export const removeServiceWithUndo = async (key: CartKey, { key: serviceKey, name }: OrderedService): Promise<void> => {
  const result = await removeOrderService(database, stamp, { ...key, key: serviceKey })
  if (!result.ok) return toastError([result.message])
  const { removed: lines, services } = result
  if (services.length === 0) return
  lastRemoval.set({ key, serviceName: name, lines, services, dropped: lines })
}

/** Moves the retouching of one image to another. Can be undone. */
export const moveRetouchWithUndo = async (
  key: CartKey,
  { key: from, name }: OrderedService,
  to: CartImage,
): Promise<void> => {
  const movedKey = { ...from, imageLookupId: to.imageId }
  const result = await moveRetouch(database, stamp, { ...key, from, to: movedKey })
  if (!result.ok) return toastError([result.message])
  const { removed: lines, services } = result
  if (services.length === 0) return
  lastRemoval.set({
    key,
    serviceName: name,
    lines,
    services,
    dropped: lines,
    replacement: { key: movedKey, label: imageLabel(to) },
  })
}

/** Records add-ons that a change dropped: they are announced, and the customer can restore them. */
export const recordDroppedLines = (key: CartKey, dropped: CartPackage[]): void => {
  if (dropped.length > 0) lastRemoval.set({ key, serviceName: null, lines: dropped, dropped, services: [] })
}

/** Changes a line's quantity by one. Resolves when it is stored and the screen shows it. */
export const stepLineQuantity = async (key: CartKey, lineId: string, by: 1 | -1): Promise<void> => {
  const result = await withSavingStatus(key, () => stepQuantity(database, stamp, { ...key, lineId, by }))
  if (result.ok) recordDroppedLines(key, result.dropped)
  else toastError([result.message])
}

/** Restores the last removal. */
export const undoLastRemoval = async (): Promise<void> => {
  const removal = lastRemoval.current()
  if (!removal) return
  const result: ChangeResult = await undoRemoval(database, stamp, {
    ...removal.key,
    removed: removal.lines,
    services: removal.services,
    replacement: removal.replacement?.key,
  })
  if (!result.ok) return toastError([result.message])
  lastRemoval.set(null)
}
