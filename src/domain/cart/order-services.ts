import { walletProductCodes } from '../catalogue/catalogue.ts'
import { printedText } from '../printing/printable-letters.ts'
import type { Cart, CartOrderService, Retouch } from './cart.ts'
import type { Mutation, ServiceKey, SubjectKey } from './mutation.ts'
import type {
  JobServices,
  OrderService,
  PersonalizationChoice,
  ServiceFlags,
  ServiceSnapshot,
} from './order-service-types.ts'
import { defaultPersonalizationPrice } from './personalization.ts'

/** Picks the choice from an entry of a cart or an order. */
export const personalizationChoiceOf = (entry: PersonalizationChoice): PersonalizationChoice => {
  const { nameOnWallets, nameOnAllPrints, yearOnWallets, yearOnAllPrints, nameToPrint, yearToPrint } = entry
  return { nameOnWallets, nameOnAllPrints, yearOnWallets, yearOnAllPrints, nameToPrint, yearToPrint }
}

export type ServiceProblem =
  | 'service-gone'
  | 'service-needs-package'
  | 'retouch-picture'
  | 'personalization-empty'
  | 'personalization-refused'

/** The services a customer can order: enabled, and of a kind that the job's flags allow. */
export const servicesOnOffer = ({ services, ...flags }: JobServices): OrderService[] =>
  services.filter((service) => service.enabled && isAllowed(service, flags))

const isAllowed = ({ kind }: OrderService, flags: ServiceFlags): boolean => {
  if (kind === 'retouch') return flags.allowRetouch
  return kind === 'service' || flags.allowNameOnAllPrints || flags.allowNameOnWallets
}

/** Price of name and year printing; `jobPrice` is null if the job sets none. Decimal dollars (section 9). */
export const personalizationPrice = (jobPrice: number | null): number => jobPrice ?? defaultPersonalizationPrice

/**
 * What is wrong with a choice of name and year at a job: nothing to print, no product to print it on, or a product that
 * is not offered. Null if it is valid.
 */
export const personalizationProblem = (
  choice: PersonalizationChoice,
  flags: ServiceFlags,
): 'personalization-empty' | 'personalization-refused' | null => {
  const printsName = choice.nameOnWallets || choice.nameOnAllPrints
  const printsYear = choice.yearOnWallets || choice.yearOnAllPrints
  if (!printsName && !printsYear) return 'personalization-empty'
  if ((printsName && printedText(choice.nameToPrint) === '') || (printsYear && printedText(choice.yearToPrint) === ''))
    return 'personalization-empty'
  const onWallets = choice.nameOnWallets || choice.yearOnWallets
  const onPrints = choice.nameOnAllPrints || choice.yearOnAllPrints
  const isNotOffered = (onWallets && !flags.allowNameOnWallets) || (onPrints && !flags.allowNameOnAllPrints)
  return isNotOffered ? 'personalization-refused' : null
}

const nameAndYear = (
  { nameToPrint, yearToPrint }: PersonalizationChoice,
  { printsName: name, printsYear: year }: { printsName: boolean; printsYear: boolean },
): string => `${name ? nameToPrint : ''} ${year ? yearToPrint : ''}`

/** The name and year that are printed on at least one product; text that is printed nowhere needs no validation. */
export const personalizationText = (choice: PersonalizationChoice): string =>
  nameAndYear(choice, {
    printsName: choice.nameOnWallets || choice.nameOnAllPrints,
    printsYear: choice.yearOnWallets || choice.yearOnAllPrints,
  })

/** The name and year printed on one product: wallets have a choice of their own, all other prints share one. */
export const nameAndYearOn = (productCode: string, choice: PersonalizationChoice): string => {
  const parts = walletProductCodes.some((code) => code === productCode)
    ? { printsName: choice.nameOnWallets, printsYear: choice.yearOnWallets }
    : { printsName: choice.nameOnAllPrints, printsYear: choice.yearOnAllPrints }
  return printedText(nameAndYear(choice, parts))
}

/**
 * Whether both keys name the same subject: typed-in subjects are compared by the device's id, all others by the
 * studio's.
 */
export const isSameSubject = (a: SubjectKey, b: SubjectKey): boolean =>
  a.personId !== null || b.personId !== null ? a.personId === b.personId : a.subjectId === b.subjectId

/** Whether both keys name the same service of the same subject and, for services per image, of the same image. */
export const isSameService = (a: ServiceKey, b: ServiceKey): boolean =>
  a.orderServiceId === b.orderServiceId && isSameSubject(a, b) && a.imageLookupId === b.imageLookupId

/**
 * Limits a choice of name and year to the products a job offers. Text whose product is no longer offered moves to the
 * other product; if neither is offered, nothing is left to print.
 */
export const fitPersonalizationToOffer = (
  choice: PersonalizationChoice,
  flags: ServiceFlags,
): PersonalizationChoice => {
  const { allowNameOnAllPrints: offersPrints, allowNameOnWallets: offersWallets } = flags
  const { nameOnAllPrints, nameOnWallets, yearOnAllPrints, yearOnWallets } = choice
  return {
    ...choice,
    nameOnAllPrints: offersPrints && (nameOnAllPrints || (!offersWallets && nameOnWallets)),
    nameOnWallets: offersWallets && (nameOnWallets || (!offersPrints && nameOnAllPrints)),
    yearOnAllPrints: offersPrints && (yearOnAllPrints || (!offersWallets && yearOnWallets)),
    yearOnWallets: offersWallets && (yearOnWallets || (!offersPrints && yearOnAllPrints)),
  }
}

const problemWith = (
  { personalization, imageLookupId }: Pick<Mutation & { do: 'service.set' }, 'personalization' | 'imageLookupId'>,
  { service, flags }: ServiceSnapshot,
): ServiceProblem | null => {
  if (!service.enabled || !isAllowed(service, flags)) return 'service-gone'
  if (service.kind === 'personalization')
    return personalization ? personalizationProblem(personalization, flags) : 'personalization-empty'
  const isPerImage = service.kind === 'retouch' && flags.imageLevelService
  return isPerImage === (imageLookupId !== null) ? null : 'retouch-picture'
}

type CartServiceEntry = CartOrderService & { imageLookupId?: number | null } & Partial<PersonalizationChoice>

const isPersonalization = (entry: CartServiceEntry): entry is CartServiceEntry & PersonalizationChoice =>
  entry.nameToPrint !== undefined

/**
 * What is wrong with a service already in a cart, apart from its price: no longer offered, or ordered in a way the job
 * no longer sells. It is neither charged nor changed automatically; the customer fixes or removes it.
 */
export const cartServiceProblem = (
  entry: CartServiceEntry,
  { services, ...flags }: JobServices,
): ServiceProblem | null => {
  const service = services.find(({ orderServiceId }) => orderServiceId === entry.orderServiceId)
  if (!service) return 'service-gone'
  const personalization = isPersonalization(entry) ? personalizationChoiceOf(entry) : null
  return problemWith({ personalization, imageLookupId: entry.imageLookupId ?? null }, { service, flags })
}

/** Returns a predicate: whether a cart's entry is the service with this key. */
export const matchesServiceKey =
  (key: ServiceKey) =>
  (entry: CartServiceEntry): boolean =>
    isSameService({ ...entry, imageLookupId: entry.imageLookupId ?? null }, key)

/** Adds a service to the cart or replaces it: a subject has one personalization, and each image one retouch. */
export const withOrderService = (
  cart: Cart,
  mutation: Mutation & { do: 'service.set' },
  snapshot: ServiceSnapshot | null,
): Cart | ServiceProblem => {
  if (!snapshot) return 'service-gone'
  if (!cart.cartPackages.some((line) => isSameSubject(line, mutation))) return 'service-needs-package'
  const problem = problemWith(mutation, snapshot)
  if (problem) return problem
  const { service, flags } = snapshot
  const { subjectId, personId, orderServiceId, imageLookupId, personalization } = mutation
  const price = mutation.price ?? service.price
  const details = { ...cart.cartOrderServicesDetails, imageLevel: flags.imageLevelService }
  const existing = cartServicesOf(cart).find(matchesServiceKey(mutation))
  const entry = { id: existing?.id ?? null, cartId: cart.id, subjectId, personId, orderServiceId, price }
  if (service.kind === 'retouch') {
    const isOther = (candidate: Retouch) =>
      !(isSameSubject(candidate, mutation) && candidate.imageLookupId === imageLookupId)
    const retouch: Retouch = { ...entry, level: service.level ?? 'basic', imageLookupId }
    return withDetails(cart, { ...details, retouches: [...details.retouches.filter(isOther), retouch] })
  }
  const isOther = (candidate: CartOrderService) => !isSameSubject(candidate, mutation)
  if (service.kind === 'personalization' && personalization) {
    const personalizations = [...details.personalizations.filter(isOther), { ...entry, ...personalization }]
    return withDetails(cart, { ...details, personalizations })
  }
  const others = details.cartOrderServices.filter((candidate) => candidate !== existing)
  return withDetails(cart, { ...details, cartOrderServices: [...others, entry] })
}

/** Removes a service from the cart; a missing one is ignored. */
export const withoutOrderService = (cart: Cart, key: ServiceKey): Cart =>
  keepServices(cart, (entry) => !matchesServiceKey(key)(entry))

/** Removes the services of subjects without a package in the cart. */
export const dropOrphanedServices = (cart: Cart): Cart =>
  keepServices(cart, (entry) => cart.cartPackages.some((line) => isSameSubject(line, entry)))

/** All services of a cart, of every kind. */
export const cartServicesOf = ({ cartOrderServicesDetails: details }: Cart): CartServiceEntry[] => [
  ...details.cartOrderServices,
  ...details.retouches,
  ...details.personalizations,
]

const keepServices = (cart: Cart, isKept: (entry: CartServiceEntry) => boolean): Cart => {
  if (cartServicesOf(cart).every(isKept)) return cart
  const details = cart.cartOrderServicesDetails
  return withDetails(cart, {
    ...details,
    cartOrderServices: details.cartOrderServices.filter(isKept),
    retouches: details.retouches.filter(isKept),
    personalizations: details.personalizations.filter(isKept),
  })
}

const withDetails = (cart: Cart, cartOrderServicesDetails: Cart['cartOrderServicesDetails']): Cart => ({
  ...cart,
  cartOrderServicesDetails,
})
