import type { Cart, CartOrderService, Personalization, Retouch } from '#domain/cart/cart.ts'
import type { ServiceKey, SubjectKey } from '#domain/cart/mutation.ts'
import type { JobServices, OrderService, PersonalizationChoice, ServiceKind } from '#domain/cart/order-service-types.ts'
import {
  cartServiceProblem,
  isSameSubject,
  personalizationChoiceOf,
  type ServiceProblem,
} from '#domain/cart/order-services.ts'
import { type Cents, toCents } from '#domain/pricing/money.ts'

/** How the studio changed an ordered service: withdrew it, changed how it is sold (`terms`), or changed its price. */
export type OrderServiceChange =
  | { current: null }
  | { current: OrderService; oldCents: Cents; newCents: Cents; terms: ServiceProblem | null }

/** A service in a cart. */
export type OrderedService = {
  key: ServiceKey
  kind: ServiceKind
  name: string
  cents: Cents
  personalization: PersonalizationChoice | null
  /** Retouching of an image that the studio withdrew. */
  isWithdrawn: boolean
  /** Null if it is unchanged, or the current services are not loaded. */
  change: OrderServiceChange | null
}

type ServiceEntry = CartOrderService | Retouch | Personalization

const kindOf = (entry: ServiceEntry): ServiceKind => {
  if ('level' in entry) return 'retouch'
  return 'nameToPrint' in entry ? 'personalization' : 'service'
}

// The cart stores no names; the response with them may not be cached, or may no longer contain this service.
const defaultName = (entry: ServiceEntry): string => {
  if ('level' in entry) return entry.level === 'premium' ? 'Premium retouching' : 'Basic retouching'
  return 'nameToPrint' in entry ? 'Name and year' : 'A service'
}

const changeOf = (entry: ServiceEntry, offered: JobServices | undefined): OrderServiceChange | null => {
  if (!offered) return null
  const terms = cartServiceProblem(entry, offered)
  const current = offered.services.find((service) => service.orderServiceId === entry.orderServiceId)
  if (terms === 'service-gone' || !current) return { current: null }
  const [oldCents, newCents] = [toCents(entry.price), toCents(current.price)]
  return oldCents === newCents && !terms ? null : { current, oldCents, newCents, terms }
}

/** The services of a cart in a stable order: retouching, name and year, all others. */
export const orderedServices = (
  { cartOrderServicesDetails: details }: Cart,
  offered: JobServices | undefined,
): OrderedService[] =>
  [...details.retouches, ...details.personalizations, ...details.cartOrderServices].map((entry: ServiceEntry) => {
    const { subjectId, personId, orderServiceId } = entry
    const imageLookupId = 'level' in entry ? entry.imageLookupId : null
    return {
      key: { subjectId, personId, orderServiceId, imageLookupId },
      kind: kindOf(entry),
      name: offered?.services.find((service) => service.orderServiceId === orderServiceId)?.name ?? defaultName(entry),
      cents: toCents(entry.price),
      personalization: 'nameToPrint' in entry ? personalizationChoiceOf(entry) : null,
      isWithdrawn: 'level' in entry && entry.withdrawn === true,
      change: changeOf(entry, offered),
    }
  })

/** The services of one subject. */
export const servicesOfSubject = (owner: SubjectKey, services: readonly OrderedService[]): OrderedService[] =>
  services.filter(({ key }) => isSameSubject(owner, key))

/** The first name of a service's subject. */
export const firstNameOf = ({ subjects }: Cart, { key }: OrderedService): string =>
  subjects.find((subject) => isSameSubject(subject, key))?.firstName ?? ''

/** A unique key for a service within a cart. */
export const serviceId = ({ key }: OrderedService): string =>
  [key.personId ?? key.subjectId, key.orderServiceId, key.imageLookupId].join('-')

/** The printed name and year, and where they are printed. */
export const personalizationLabel = (choice: PersonalizationChoice): string => {
  const name = placementLabel(choice.nameOnAllPrints, choice.nameOnWallets)
  const year = placementLabel(choice.yearOnAllPrints, choice.yearOnWallets)
  const [nameText, yearText] = [`“${choice.nameToPrint}”`, `“${choice.yearToPrint}”`]
  if (name === year) return `${nameText} and ${yearText} ${name}`
  return [name && `${nameText} ${name}`, year && `${yearText} ${year}`].filter(Boolean).join(', ')
}

const placementLabel = (prints: boolean, wallets: boolean): string => {
  if (prints && wallets) return 'on all prints and wallet prints'
  if (prints) return 'on all prints'
  return wallets ? 'on wallet prints' : ''
}
