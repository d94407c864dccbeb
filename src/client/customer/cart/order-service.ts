import type { Owner } from '../../../domain/mutation.ts'
import type { JobServices, OrderService, PersonalizationChoice } from '../../../domain/order-services.ts'
import type { CartKey } from '../../../local/database.ts'
import { orderService, removeService } from '../../../local/order-services.ts'
import { local, stamp } from '../../device/local.ts'
import { toastError } from '../../ui/toast.ts'
import type { OrderedService } from '../ordered-services.ts'
import { lastRemoved, noteDropped } from './removed.ts'

export type Wanted = {
  owner: Owner
  service: OrderService
  offered: JobServices
  /** Of which picture, where retouching goes by the picture. */
  imageLookupId?: number | null
  personalization?: PersonalizationChoice | null
}

/** Orders a service, or orders it differently, at the price it is offered for now. */
export const order = async (key: CartKey, wanted: Wanted): Promise<void> => {
  const { owner, service, offered, imageLookupId = null, personalization = null } = wanted
  const { services: _, ...flags } = offered
  const { subjectId, personId } = owner
  const answer = await orderService(local, stamp, {
    ...key,
    for: { subjectId, personId, imageLookupId },
    snapshot: { service, flags },
    personalization,
  })
  if (!answer.ok) return toastError([answer.sentence])
  noteDropped(key, answer.dropped)
}

/** Takes a service back where the next tap orders it again: only add-ons that fell with it are worth a word. */
export const undoOrder = async (key: CartKey, service: OrderedService): Promise<void> => {
  const answer = await removeService(local, stamp, { ...key, key: service.key })
  if (!answer.ok) return toastError([answer.sentence])
  const { removed: lines, served } = answer
  if (lines.length > 0) lastRemoved.set({ key, service: service.name, lines, served, dropped: lines })
}
