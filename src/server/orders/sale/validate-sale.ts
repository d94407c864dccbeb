import type { CartPackage } from '#domain/cart/cart.ts'
import { findMissingFields } from '#domain/cart/completeness.ts'
import { lineBlocker, lineBlockerMessages, retouchSentence } from '#domain/cart/line-blocker.ts'
import type { JobServices } from '#domain/cart/order-service-types.ts'
import { cartServiceProblem, cartServicesOf } from '#domain/cart/order-services.ts'
import { type Problem, problem } from '#server/http/problem.ts'
import type { Sale } from './sale-terms.ts'

const named = ({ snapshot }: CartPackage): string => `“${snapshot.package.name}” for ${snapshot.subject.firstName}`

const nameOfService = ({ services }: JobServices, id: number): string | undefined =>
  services.find((one) => one.orderServiceId === id)?.name

/** A sentence for each line, by its id. */
export const messagesByLine = (
  lines: readonly CartPackage[],
  sentence: (line: CartPackage) => string,
): Record<string, string[]> => Object.fromEntries(lines.map((line) => [line.lineId, [sentence(line)]]))

/** What keeps a line from being sold though it is complete: a hidden subject or a withdrawn photo (section 6); null where nothing does. */
export const withdrawnSentence = (line: CartPackage): string | null => {
  const block = lineBlocker(line)
  return block && `${named(line)}: ${lineBlockerMessages[block]}`
}

/** Lines of hidden people and with withdrawn photos, and retouching of these: what the customer can't see isn't sold. */
export const withdrawnLinesProblem = ({
  cart,
  services,
}: Pick<Sale, 'cart' | 'services'>): Problem<'refused'> | undefined => {
  const blocked = cart.cartPackages.flatMap((line) => {
    const sentence = withdrawnSentence(line)
    return sentence ? [[line.lineId, sentence] as const] : []
  })
  const retouches = cart.cartOrderServicesDetails.retouches
    .filter(({ withdrawn }) => withdrawn)
    .map(({ id, orderServiceId }) => {
      const name = nameOfService(services, orderServiceId) ?? 'Retouching'
      return [`service.${id}`, `${name}: ${retouchSentence}`] as const
    })
  const all = [...blocked, ...retouches]
  if (all.length === 0) return undefined
  const fields = Object.fromEntries(all.map(([field, sentence]) => [field, [sentence]]))
  return problem('refused', [...new Set(all.map(([, sentence]) => sentence))], { fields })
}

/** Packages the studio changed or took back since they were put into the cart: nothing is sold behind a customer's back (section 5). */
export const pricesChangedProblem = (sale: Sale): Problem<'prices-changed' | 'refused'> | undefined => {
  const { cart, onOffer } = sale
  const gone = cart.cartPackages.filter((line) => !onOffer.get(line.packageId)?.isOffered)
  const goneSentence = (line: CartPackage): string => `${named(line)} is not on offer any more. Please remove it`
  if (gone[0]) return problem('refused', goneSentence(gone[0]), { fields: messagesByLine(gone, goneSentence) })
  const changed = cart.cartPackages.filter(
    (line) => onOffer.get(line.packageId)?.currentVersion !== line.snapshot.package.version,
  )
  if (changed.length === 0) return serviceObjection(sale)
  return problem('prices-changed', undefined, {
    fields: messagesByLine(changed, (line) => `${named(line)} has changed`),
  })
}

/** Services by the entry of the cart they stand for, `service.<id>`: taken back, or of other terms or another price than they were put in for. */
const serviceObjection = ({ cart, services }: Sale): Problem<'prices-changed' | 'refused'> | undefined => {
  const priceOf = (id: number) => services.services.find((one) => one.orderServiceId === id)?.price
  const nameOf = (id: number): string => nameOfService(services, id) ?? 'A service'
  const byEntry = (entries: ReturnType<typeof cartServicesOf>, words: string): Record<string, string[]> =>
    Object.fromEntries(
      entries.map(({ id, orderServiceId }) => [`service.${id}`, [`${nameOf(orderServiceId)} ${words}`]]),
    )
  const gone = cartServicesOf(cart).filter((entry) => cartServiceProblem(entry, services) === 'service-gone')
  const goneWords = 'is not on offer any more. Please remove it'
  if (gone[0])
    return problem('refused', `${nameOf(gone[0].orderServiceId)} ${goneWords}`, { fields: byEntry(gone, goneWords) })
  const changed = cartServicesOf(cart).filter(
    (entry) => cartServiceProblem(entry, services) !== null || priceOf(entry.orderServiceId) !== entry.price,
  )
  return changed.length === 0
    ? undefined
    : problem('prices-changed', undefined, { fields: byEntry(changed, 'has changed') })
}

/** Pictures and texts that are still to be given. */
export const incompleteCartProblem = ({ cart }: Sale): Problem<'cart-incomplete'> | undefined => {
  const missingIn = (line: CartPackage) => findMissingFields(line, cart.orderMethod)
  const open = cart.cartPackages.filter((line) => missingIn(line).length > 0)
  if (open.length === 0) return undefined
  const sentence = (line: CartPackage): string =>
    `${named(line)} is not finished yet: ${missingIn(line)
      .map(({ name }) => name)
      .join(', ')}`
  return problem('cart-incomplete', open.map(sentence), { fields: messagesByLine(open, sentence) })
}
