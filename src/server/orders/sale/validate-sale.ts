import type { CartPackage } from '#domain/cart/cart.ts'
import { findMissingFields } from '#domain/cart/completeness.ts'
import { lineBlocker, lineBlockerMessages, retouchMessage } from '#domain/cart/line-blocker.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { cartServiceProblem, cartServicesOf } from '#domain/cart/order-services.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { Sale } from './sale-terms.ts'

const describeLine = ({ snapshot }: CartPackage): string =>
  `“${snapshot.package.name}” for ${snapshot.subject.firstName}`

const nameOfService = ({ services }: JobServices, id: number): string | undefined =>
  services.find((one) => one.orderServiceId === id)?.name

/** A message for each line, by its id. */
export const messagesByLine = (
  lines: readonly CartPackage[],
  sentence: (line: CartPackage) => string,
): Record<string, string[]> => Object.fromEntries(lines.map((line) => [line.lineId, [sentence(line)]]))

/** Why a complete line cannot be sold: a hidden subject or a withdrawn image (section 6); null if it can. */
export const withdrawnMessage = (line: CartPackage): string | null => {
  const block = lineBlocker(line)
  return block && `${describeLine(line)}: ${lineBlockerMessages[block]}`
}

/**
 * Refuses lines of hidden subjects or withdrawn images, and their retouching: what the customer cannot see is not sold.
 */
export const withdrawnLinesProblem = ({
  cart,
  services,
}: Pick<Sale, 'cart' | 'services'>): Problem<'refused'> | undefined => {
  const blocked = cart.cartPackages.flatMap((line) => {
    const sentence = withdrawnMessage(line)
    return sentence ? [[line.lineId, sentence] as const] : []
  })
  const retouches = cart.cartOrderServicesDetails.retouches
    .filter(({ withdrawn }) => withdrawn)
    .map(({ id, orderServiceId }) => {
      const name = nameOfService(services, orderServiceId) ?? 'Retouching'
      return [`service.${id}`, `${name}: ${retouchMessage}`] as const
    })
  const all = [...blocked, ...retouches]
  if (all.length === 0) return undefined
  const fields = Object.fromEntries(all.map(([field, sentence]) => [field, [sentence]]))
  return problem('refused', [...new Set(all.map(([, sentence]) => sentence))], { fields })
}

/**
 * Refuses packages that the studio changed or withdrew since they were added to the cart, so that the customer confirms
 * what is sold (section 5).
 */
export const pricesChangedProblem = (sale: Sale): Problem<'prices-changed' | 'refused'> | undefined => {
  const { cart, onOffer } = sale
  const unavailable = cart.cartPackages.filter((line) => !onOffer.get(line.packageId)?.isOffered)
  const unavailableMessage = (line: CartPackage): string =>
    `${describeLine(line)} is not on offer any more. Please remove it`
  if (unavailable[0])
    return problem('refused', unavailableMessage(unavailable[0]), {
      fields: messagesByLine(unavailable, unavailableMessage),
    })
  const changed = cart.cartPackages.filter(
    (line) => onOffer.get(line.packageId)?.currentVersion !== line.snapshot.package.version,
  )
  if (changed.length === 0) return changedServicesProblem(sale)
  return problem('prices-changed', undefined, {
    fields: messagesByLine(changed, (line) => `${describeLine(line)} has changed`),
  })
}

/**
 * The same for services, by `service.<id>` of the cart entry: withdrawn, or with other terms or prices than when added.
 */
const changedServicesProblem = ({ cart, services }: Sale): Problem<'prices-changed' | 'refused'> | undefined => {
  const priceOf = (id: number) => services.services.find((one) => one.orderServiceId === id)?.price
  const nameOf = (id: number): string => nameOfService(services, id) ?? 'A service'
  const byEntry = (entries: ReturnType<typeof cartServicesOf>, message: string): Record<string, string[]> =>
    Object.fromEntries(
      entries.map(({ id, orderServiceId }) => [`service.${id}`, [`${nameOf(orderServiceId)} ${message}`]]),
    )
  const unavailable = cartServicesOf(cart).filter((entry) => cartServiceProblem(entry, services) === 'service-gone')
  const unavailableWords = 'is not on offer any more. Please remove it'
  if (unavailable[0])
    return problem('refused', `${nameOf(unavailable[0].orderServiceId)} ${unavailableWords}`, {
      fields: byEntry(unavailable, unavailableWords),
    })
  const changed = cartServicesOf(cart).filter(
    (entry) => cartServiceProblem(entry, services) !== null || priceOf(entry.orderServiceId) !== entry.price,
  )
  return changed.length === 0
    ? undefined
    : problem('prices-changed', undefined, { fields: byEntry(changed, 'has changed') })
}

/** Refuses lines with missing images or texts. */
export const incompleteCartProblem = ({ cart }: Sale): Problem<'cart-incomplete'> | undefined => {
  const missingIn = (line: CartPackage) => findMissingFields(line, cart.orderMethod)
  const incomplete = cart.cartPackages.filter((line) => missingIn(line).length > 0)
  if (incomplete.length === 0) return undefined
  const sentence = (line: CartPackage): string =>
    `${describeLine(line)} is not finished yet: ${missingIn(line)
      .map(({ name }) => name)
      .join(', ')}`
  return problem('cart-incomplete', incomplete.map(sentence), { fields: messagesByLine(incomplete, sentence) })
}
