/** A studio's pages. */
export type StudioRoute = { studioSlug: string }
/** A customer screen of a job. `jobId` is NaN if the URL has no number there: the customer not-found screen. */
export type CustomerRoute = StudioRoute & { jobId: number }
/** `subjectId` is negative for a subject typed in on this device (prepaid orders without imported data). */
export type SubjectRoute = CustomerRoute & { subjectId: number }
export type SelectPackageRoute = SubjectRoute & { imageId?: number | undefined }
/** `packageIds`: a standard package and its add-ons, customised together. */
export type PackageDetailsRoute = SelectPackageRoute & {
  packageIds: number[]
  /** Numbers of another subject's cart lines, which prefill the packages. */
  like?: number[] | undefined
}
/** `cartPackageId` is the device's number for the line, not the server's id. */
export type CartPackageRoute = CustomerRoute & { cartPackageId: number }
export type OrderRoute = CustomerRoute & { orderNumber: string }
export type DownloadRoute = StudioRoute & { linkId: string }
export type CodeRoute = StudioRoute & { code?: string | undefined }

const job = '/:studioSlug/:jobId'

/** Every URL of the product, in wouter's notation. An id that is optional here may come from the query string. */
export const patterns = {
  home: ['/'],
  login: ['/login'],
  logout: ['/logout'],
  account: ['/account'],
  maintenance: ['/maintenance'],
  kit: ['/kit'],
  customerStudio: ['/:studioSlug'],
  customerCode: ['/:studioSlug/code/:code?'],
  customerDownload: ['/:studioSlug/download/:linkId'],
  customerSelectSubject: [`${job}/select-subject`],
  customerUnavailable: [`${job}/unavailable`],
  customerHandOver: [`${job}/hand-over`],
  customerContinue: [`${job}/continue`],
  customerConfirmCart: [`${job}/confirmCart`],
  customerSelectPackage: [`${job}/subject/:subjectId?/select-package/:imageId?`],
  customerPersonDetails: [`${job}/subject/:subjectId?/details`],
  customerPackageDetails: [`${job}/subject/:subjectId?/package-options/:packageIDs?/:imageId?`],
  customerEditCartPackage: [`${job}/edit-cart-package/:cartPackageId?`],
  customerCart: [`${job}/cart`],
  customerCartOrderServices: [`${job}/cart/services`],
  checkout: [`${job}/checkout`],
  checkoutOrderReview: [`${job}/checkout/review`],
  orderPictures: [`${job}/order/:orderNumber/pictures`],
  orderMore: [`${job}/order/:orderNumber/more`],
  checkoutOrderConfirmation: [`${job}/order/:orderNumber`],
  customerSubjectSearch: [job, `${job}/search`],
} as const satisfies Record<string, readonly string[]>

/** First path segments of our own: never a studio's slug, so unknown paths below them are not found. */
export const reservedSegments: readonly string[] = [
  'api',
  'admin',
  'account',
  'login',
  'logout',
  'setup',
  'forgot-password',
  'reset-password',
  'maintenance',
  'assets',
  'photos',
  'builds',
  'kit',
]

/** Path parameters and query: an id may come from either. */
export type RouteInput = { params: Readonly<Record<string, string | undefined>>; query: URLSearchParams }

const raw = ({ params, query }: RouteInput, name: string): string | undefined =>
  params[name] || query.get(name) || undefined

/** Text from path or query; throws if it is in neither (section 5). */
export const textParam = (input: RouteInput, name: string): string => {
  const value = raw(input, name)
  if (value === undefined) throw new Error(`This address needs ${name}`)
  return value
}

// More digits would not be a safe integer, and no id is zero.
const integer = (text: string): number => (/^-?\d{1,15}$/.test(text) && Number.parseInt(text, 10)) || Number.NaN

/** An id as an integer (section 5): NaN if invalid; throws if missing. */
export const idParam = (input: RouteInput, name: string): number => integer(textParam(input, name))

/** An id created by the server: NaN for a negative one. */
export const serverId = (id: number): number => (id > 0 ? id : Number.NaN)

/** An optional id. */
export const optionalIdParam = (input: RouteInput, name: string): number | undefined => {
  const value = raw(input, name)
  return value === undefined ? undefined : integer(value)
}

/** An optional comma-separated list of ids; invalid entries are ignored. */
export const optionalIdsParam = (input: RouteInput, name: string): number[] | undefined => {
  const ids = raw(input, name)
    ?.split(',')
    .map(integer)
    .filter((id) => !Number.isNaN(id))
  return ids?.length ? ids : undefined
}

/** A comma-separated list of ids. */
export const idsParam = (input: RouteInput, name: string): number[] => textParam(input, name).split(',').map(integer)

const part = (value: string | number) => encodeURIComponent(String(value))
const studio = ({ studioSlug }: StudioRoute) => `/${part(studioSlug)}`
const under = (route: CustomerRoute) => `${studio(route)}/${route.jobId}`
const tail = (id: number | undefined) => (id === undefined ? '' : `/${id}`)
const withQuery = (path: string, query: Record<string, string | undefined>) => {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value ? [`${name}=${part(value)}`] : []))
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}

/** Builds the URL of every screen. */
export const urls = {
  home: () => '/',
  login: ({ ret, expired = false }: { ret?: string | undefined; expired?: boolean } = {}) =>
    withQuery('/login', { ret, expired: expired ? '1' : undefined }),
  logout: () => '/logout',
  account: () => '/account',
  maintenance: ({ from }: { from?: string | undefined } = {}) => withQuery('/maintenance', { from }),
  /** The studio's job search; `ret` is the URL the customer wanted before a code was required. */
  customerStudio: ({ ret, ...place }: StudioRoute & { ret?: string | undefined }) => withQuery(studio(place), { ret }),
  customerCode: ({ code, ...place }: CodeRoute) => `${studio(place)}/code${code ? `/${part(code)}` : ''}`,
  download: ({ linkId, ...place }: DownloadRoute) => `${studio(place)}/download/${part(linkId)}`,
  subjectSearch: (route: CustomerRoute) => `${under(route)}/search`,
  selectSubject: (route: CustomerRoute) => `${under(route)}/select-subject`,
  /** `from` is the URL the customer wanted. */
  unavailable: ({ from, ...route }: CustomerRoute & { from?: string | undefined }) =>
    withQuery(`${under(route)}/unavailable`, { from }),
  /** The screens that hand a session over to another device, and accept it there. */
  handOver: (route: CustomerRoute) => `${under(route)}/hand-over`,
  continueHere: (route: CustomerRoute) => `${under(route)}/continue`,
  confirmCart: (route: CustomerRoute) => `${under(route)}/confirmCart`,
  selectPackage: ({ subjectId, imageId, ...route }: SelectPackageRoute) =>
    `${under(route)}/subject/${subjectId}/select-package${tail(imageId)}`,
  /** A subject's details: the name if typed in here, and the studio's custom fields. */
  personDetails: ({ subjectId, ...route }: SubjectRoute) => `${under(route)}/subject/${subjectId}/details`,
  packageDetails: ({ subjectId, packageIds, imageId, like, ...route }: PackageDetailsRoute) =>
    withQuery(`${under(route)}/subject/${subjectId}/package-options/${packageIds.join(',')}${tail(imageId)}`, {
      like: like?.join(','),
    }),
  editCartPackage: ({ cartPackageId, ...route }: CartPackageRoute) =>
    `${under(route)}/edit-cart-package/${cartPackageId}`,
  cart: (route: CustomerRoute) => `${under(route)}/cart`,
  orderServices: (route: CustomerRoute) => `${under(route)}/cart/services`,
  checkout: (route: CustomerRoute) => `${under(route)}/checkout`,
  checkoutReview: (route: CustomerRoute) => `${under(route)}/checkout/review`,
  order: ({ orderNumber, ...route }: OrderRoute) => `${under(route)}/order/${part(orderNumber)}`,
  orderMore: ({ orderNumber, ...route }: OrderRoute) => `${under(route)}/order/${part(orderNumber)}/more`,
  orderPictures: ({ orderNumber, ...route }: OrderRoute) => `${under(route)}/order/${part(orderNumber)}/pictures`,
} as const

/** A local path to return to, from a query string; rejects anything that could lead elsewhere. */
export const safeReturnPath = (text: string | null | undefined): string | undefined =>
  text && /^\/(?![/\\])[^\\]*$/.test(text) ? text : undefined
