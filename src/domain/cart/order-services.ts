import { walletProductCodes } from '../catalogue/catalogue.ts'
import { printedText } from '../printing/printed-text.ts'
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

/** The choice alone, from an entry of a cart or an order. */
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
  services.filter((one) => one.enabled && isAllowed(one, flags))

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
  const name = choice.nameOnWallets || choice.nameOnAllPrints
  const year = choice.yearOnWallets || choice.yearOnAllPrints
  if (!name && !year) return 'personalization-empty'
  if ((name && printedText(choice.nameToPrint) === '') || (year && printedText(choice.yearToPrint) === ''))
    return 'personalization-empty'
  const onWallets = choice.nameOnWallets || choice.yearOnWallets
  const onPrints = choice.nameOnAllPrints || choice.yearOnAllPrints
  const refused = (onWallets && !flags.allowNameOnWallets) || (onPrints && !flags.allowNameOnAllPrints)
  return refused ? 'personalization-refused' : null
}

const nameAndYear = (
  { nameToPrint, yearToPrint }: PersonalizationChoice,
  { name, year }: { name: boolean; year: boolean },
): string => `${name ? nameToPrint : ''} ${year ? yearToPrint : ''}`

/** The name and year that are printed on at least one product; text that is printed nowhere needs no validation. */
export const personalizationText = (choice: PersonalizationChoice): string =>
  nameAndYear(choice, {
    name: choice.nameOnWallets || choice.nameOnAllPrints,
    year: choice.yearOnWallets || choice.yearOnAllPrints,
  })

/** The name and year printed on one product: wallets have a choice of their own, all other prints share one. */
export const nameAndYearOn = (productCode: string, choice: PersonalizationChoice): string => {
  const places = walletProductCodes.some((code) => code === productCode)
    ? { name: choice.nameOnWallets, year: choice.yearOnWallets }
    : { name: choice.nameOnAllPrints, year: choice.yearOnAllPrints }
  return printedText(nameAndYear(choice, places))
}

/**
 * Whether both keys name the same subject: typed-in subjects are compared by the device's id, all others by the
 * studio's.
 */
export const isSameSubject = (one: SubjectKey, other: SubjectKey): boolean =>
  one.personId !== null || other.personId !== null ? one.personId === other.personId : one.subjectId === other.subjectId

/** Whether both keys name the same service of the same subject and, for services per image, of the same image. */
export const isSameService = (one: ServiceKey, other: ServiceKey): boolean =>
  one.orderServiceId === other.orderServiceId && isSameSubject(one, other) && one.imageLookupId === other.imageLookupId

/**
 * Limits a choice of name and year to the products a job offers. Text that would be printed nowhere moves to the
 * product that is left; if both are gone, the service is gone too.
 */
export const fitPersonalizationToOffer = (
  choice: PersonalizationChoice,
  flags: ServiceFlags,
): PersonalizationChoice => {
  const { allowNameOnAllPrints: prints, allowNameOnWallets: wallets } = flags
  const { nameOnAllPrints, nameOnWallets, yearOnAllPrints, yearOnWallets } = choice
  return {
    ...choice,
    nameOnAllPrints: prints && (nameOnAllPrints || (!wallets && nameOnWallets)),
    nameOnWallets: wallets && (nameOnWallets || (!prints && nameOnAllPrints)),
    yearOnAllPrints: prints && (yearOnAllPrints || (!wallets && yearOnWallets)),
    yearOnWallets: wallets && (yearOnWallets || (!prints && yearOnAllPrints)),
  }
}

const problemWith = (
  { personalization, imageLookupId }: Pick<Mutation & { do: 'service.set' }, 'personalization' | 'imageLookupId'>,
  { service, flags }: ServiceSnapshot,
): ServiceProblem | null => {
  if (!service.enabled || !isAllowed(service, flags)) return 'service-gone'
  if (service.kind === 'personalization')
    return personalization ? personalizationProblem(personalization, flags) : 'personalization-empty'
  const perPicture = service.kind === 'retouch' && flags.imageLevelService
  return perPicture === (imageLookupId !== null) ? null : 'retouch-picture'
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
  const service = services.find((one) => one.orderServiceId === entry.orderServiceId)
  if (!service) return 'service-gone'
  const personalization = isPersonalization(entry) ? personalizationChoiceOf(entry) : null
  return problemWith({ personalization, imageLookupId: entry.imageLookupId ?? null }, { service, flags })
}

/** Returns a predicate: whether a cart's entry is the service of the key. */
export const matchesServiceKey =
  (key: ServiceKey) =>
  (entry: CartServiceEntry): boolean =>
    isSameService({ ...entry, imageLookupId: entry.imageLookupId ?? null }, key)

/** Adds a service to the cart or replaces it: a subject has one personalization, and each image one retouch. */
export const withOrderService = (
  cart: Cart,
  mutation: Mutation & { do: 'service.set' },
  made: ServiceSnapshot | null,
): Cart | ServiceProblem => {
  if (!made) return 'service-gone'
  if (!cart.cartPackages.some((line) => isSameSubject(line, mutation))) return 'service-needs-package'
  const problem = problemWith(mutation, made)
  if (problem) return problem
  const { service, flags } = made
  const { subjectId, personId, orderServiceId, imageLookupId, personalization } = mutation
  const price = mutation.price ?? service.price
  const details = { ...cart.cartOrderServicesDetails, imageLevel: flags.imageLevelService }
  const known = cartServicesOf(cart).find(matchesServiceKey(mutation))
  const entry = { id: known?.id ?? null, cartId: cart.id, subjectId, personId, orderServiceId, price }
  if (service.kind === 'retouch') {
    const isOther = (one: Retouch) => !(isSameSubject(one, mutation) && one.imageLookupId === imageLookupId)
    const retouch: Retouch = { ...entry, level: service.level ?? 'basic', imageLookupId }
    return withDetails(cart, { ...details, retouches: [...details.retouches.filter(isOther), retouch] })
  }
  const isOther = (one: CartOrderService) => !isSameSubject(one, mutation)
  if (service.kind === 'personalization' && personalization) {
    const personalizations = [...details.personalizations.filter(isOther), { ...entry, ...personalization }]
    return withDetails(cart, { ...details, personalizations })
  }
  const others = details.cartOrderServices.filter((one) => one !== known)
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

const keepServices = (cart: Cart, keeps: (entry: CartServiceEntry) => boolean): Cart => {
  if (cartServicesOf(cart).every(keeps)) return cart
  const details = cart.cartOrderServicesDetails
  return withDetails(cart, {
    ...details,
    cartOrderServices: details.cartOrderServices.filter(keeps),
    retouches: details.retouches.filter(keeps),
    personalizations: details.personalizations.filter(keeps),
  })
}

const withDetails = (cart: Cart, cartOrderServicesDetails: Cart['cartOrderServicesDetails']): Cart => ({
  ...cart,
  cartOrderServicesDetails,
})
