import { walletProductCodes } from '../catalogue/catalogue.ts'
import { printedText } from '../printing/printed-text.ts'
import type { Cart, CartOrderService, Personalization, Retouch } from './cart.ts'
import type { Mutation, ServiceKey, SubjectKey } from './mutation.ts'
import { defaultPersonalizationPrice } from './personalization.ts'

export const serviceKinds = ['service', 'retouch', 'personalization'] as const
export type ServiceKind = (typeof serviceKinds)[number]

/** A service as a job offers it (section 3, order service entries). `price` is decimal dollars. */
export type OrderService = {
  id: number
  orderServiceId: number
  kind: ServiceKind
  name: string
  description: string
  /** How much is done, for retouching. */
  level: 'basic' | 'premium' | null
  price: number
  enabled: boolean
}

/** What a job lets its customers order beside packages (section 3, job order service flags). */
export type ServiceFlags = {
  allowRetouch: boolean
  allowNameOnAllPrints: boolean
  allowNameOnWallets: boolean
  /** Retouching is ordered per picture instead of per person. */
  imageLevelService: boolean
}

export type JobServices = ServiceFlags & { services: OrderService[] }

/** What a service of a cart was made from. */
export type ServiceSnapshot = { service: OrderService; flags: ServiceFlags }

/** Name and year as they are to be printed, and on what (section 3, personalization entry). */
export type PersonalizationChoice = Pick<
  Personalization,
  'nameOnWallets' | 'nameOnAllPrints' | 'yearOnWallets' | 'yearOnAllPrints' | 'nameToPrint' | 'yearToPrint'
>

/** What was chosen, of a personalization as it lies in a cart or an order. */
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

/** The services a customer may order: switched on, and of a kind that the job's flags allow. */
export const servicesOnOffer = ({ services, ...flags }: JobServices): OrderService[] =>
  services.filter((one) => one.enabled && isAllowed(one, flags))

const isAllowed = ({ kind }: OrderService, flags: ServiceFlags): boolean => {
  if (kind === 'retouch') return flags.allowRetouch
  return kind === 'service' || flags.allowNameOnAllPrints || flags.allowNameOnWallets
}

/** What name and year cost at a job; `jobPrice` is its own, null where it sets none. Decimal dollars (section 9). */
export const personalizationPrice = (jobPrice: number | null): number => jobPrice ?? defaultPersonalizationPrice

/** What is wrong with a wish for name and year at a job: nothing to print, no place to print it, or a place that is not offered. */
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

/** The name and year that are printed on at least one product; text that is printed nowhere needs no correction. */
export const personalizationText = (choice: PersonalizationChoice): string =>
  nameAndYear(choice, {
    name: choice.nameOnWallets || choice.nameOnAllPrints,
    year: choice.yearOnWallets || choice.yearOnAllPrints,
  })

/** The name and year that are printed on one product: wallets have a choice of their own, all other prints share one. */
export const nameAndYearOn = (productCode: string, choice: PersonalizationChoice): string => {
  const places = walletProductCodes.some((code) => code === productCode)
    ? { name: choice.nameOnWallets, year: choice.yearOnWallets }
    : { name: choice.nameOnAllPrints, year: choice.yearOnAllPrints }
  return printedText(nameAndYear(choice, places))
}

/** Whether two are one person: typed-in people by the device's id, all others by the studio's. */
export const isSameSubject = (one: SubjectKey, other: SubjectKey): boolean =>
  one.personId !== null || other.personId !== null ? one.personId === other.personId : one.subjectId === other.subjectId

/** Whether two name one service of one person, and of one picture where it goes by these. */
export const isSameService = (one: ServiceKey, other: ServiceKey): boolean =>
  one.orderServiceId === other.orderServiceId && isSameSubject(one, other) && one.imageLookupId === other.imageLookupId

/**
 * A wish for name and year with none but the places a job offers: what would be printed nowhere goes to the place that is left. Where
 * both are gone, so is the service.
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
 * What is wrong by now with a service that lies in a cart, its price aside: taken back, or ordered in a way the job does not sell any
 * more. It is neither paid nor changed by itself; the customer puts it right or takes it out.
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

/** Whether an entry of a cart is the service a key names. */
export const matchesServiceKey =
  (key: ServiceKey) =>
  (entry: CartServiceEntry): boolean =>
    isSameService({ ...entry, imageLookupId: entry.imageLookupId ?? null }, key)

/** The cart with a service ordered, or ordered differently: a person has one personalization, and each picture one retouch. */
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

/** The cart without a service; what is not there stays away. */
export const withoutOrderService = (cart: Cart, key: ServiceKey): Cart =>
  keepServices(cart, (entry) => !matchesServiceKey(key)(entry))

/** The cart with only the services of people who have a package in it. */
export const dropOrphanedServices = (cart: Cart): Cart =>
  keepServices(cart, (entry) => cart.cartPackages.some((line) => isSameSubject(line, entry)))

/** Every service of a cart, of whatever kind. */
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
