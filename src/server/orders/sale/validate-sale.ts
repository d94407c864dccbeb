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
  services.find((service) => service.orderServiceId === id)?.name

/** The message of each line, by its id. */
export const messagesByLine = (
  lines: readonly CartPackage[],
  messageOf: (line: CartPackage) => string,
): Record<string, string[]> => Object.fromEntries(lines.map((line) => [line.lineId, [messageOf(line)]]))

/**
 * Why a line cannot be sold, even if it is complete: its subject is hidden or unconfirmed, or an image is withdrawn; null if
 * it can.
 */
export const blockedLineMessage = (line: CartPackage): string | null => {
  const blocker = lineBlocker(line)
  return blocker && `${describeLine(line)}: ${lineBlockerMessages[blocker]}`
}

/**
 * Refuses lines whose subject is hidden or unconfirmed or whose image is withdrawn, and retouching of withdrawn images: only what the
 * customer can see is sold.
 */
export const blockedLinesProblem = ({
  cart,
  services,
}: Pick<Sale, 'cart' | 'services'>): Problem<'refused'> | undefined => {
  const blockedLines = cart.cartPackages.flatMap((line) => {
    const message = blockedLineMessage(line)
    return message ? [[line.lineId, message] as const] : []
  })
  const retouches = cart.cartOrderServicesDetails.retouches
    .filter(({ withdrawn }) => withdrawn)
    .map(({ id, orderServiceId }) => {
      const name = nameOfService(services, orderServiceId) ?? 'Retouching'
      return [`service.${id}`, `${name}: ${retouchMessage}`] as const
    })
  const messages = [...blockedLines, ...retouches]
  if (messages.length === 0) return undefined
  const fields = Object.fromEntries(messages.map(([field, message]) => [field, [message]]))
  return problem('refused', [...new Set(messages.map(([, message]) => message))], { fields })
}

/**
 * Refuses packages and services that the studio changed or withdrew since they were added to the cart, so that the
 * customer confirms what is sold.
 */
export const offerChangedProblem = (sale: Sale): Problem<'prices-changed' | 'refused'> | undefined => {
  const { cart, onOffer } = sale
  const unavailableLines = cart.cartPackages.filter((line) => !onOffer.get(line.packageId)?.isOffered)
  const unavailableMessage = (line: CartPackage): string =>
    `${describeLine(line)} is no longer offered. Please remove it`
  if (unavailableLines[0])
    return problem('refused', unavailableMessage(unavailableLines[0]), {
      fields: messagesByLine(unavailableLines, unavailableMessage),
    })
  const changedLines = cart.cartPackages.filter(
    (line) => onOffer.get(line.packageId)?.currentVersion !== line.snapshot.package.version,
  )
  if (changedLines.length === 0) return changedServicesProblem(sale)
  return problem('prices-changed', undefined, {
    fields: messagesByLine(changedLines, (line) => `${describeLine(line)} has changed`),
  })
}

/**
 * Refuses services that were withdrawn, or whose terms or prices changed since they were added. Fields are named `service.<id>` after the
 * entry of the cart.
 */
const changedServicesProblem = ({ cart, services }: Sale): Problem<'prices-changed' | 'refused'> | undefined => {
  const priceOf = (id: number) => services.services.find((service) => service.orderServiceId === id)?.price
  const nameOf = (id: number): string => nameOfService(services, id) ?? 'A service'
  const fieldsOf = (entries: ReturnType<typeof cartServicesOf>, message: string): Record<string, string[]> =>
    Object.fromEntries(
      entries.map(({ id, orderServiceId }) => [`service.${id}`, [`${nameOf(orderServiceId)} ${message}`]]),
    )
  const unavailableEntries = cartServicesOf(cart).filter(
    (entry) => cartServiceProblem(entry, services) === 'service-gone',
  )
  const unavailableMessage = 'is no longer offered. Please remove it'
  if (unavailableEntries[0])
    return problem('refused', `${nameOf(unavailableEntries[0].orderServiceId)} ${unavailableMessage}`, {
      fields: fieldsOf(unavailableEntries, unavailableMessage),
    })
  const changedEntries = cartServicesOf(cart).filter(
    (entry) => cartServiceProblem(entry, services) !== null || priceOf(entry.orderServiceId) !== entry.price,
  )
  return changedEntries.length === 0
    ? undefined
    : problem('prices-changed', undefined, { fields: fieldsOf(changedEntries, 'has changed') })
}

/** Refuses lines with missing images or texts. */
export const incompleteCartProblem = ({ cart }: Sale): Problem<'cart-incomplete'> | undefined => {
  const missingFieldsOf = (line: CartPackage) => findMissingFields(line, cart.orderMethod)
  const incompleteLines = cart.cartPackages.filter((line) => missingFieldsOf(line).length > 0)
  if (incompleteLines.length === 0) return undefined
  const messageFor = (line: CartPackage): string =>
    `${describeLine(line)} is not finished yet: ${missingFieldsOf(line)
      .map(({ name }) => name)
      .join(', ')}`
  return problem('cart-incomplete', incompleteLines.map(messageFor), {
    fields: messagesByLine(incompleteLines, messageFor),
  })
}
