/** A studio's pages. */
export type StudioRoute = { studioSlug: string }
/** A customer screen of a job. `jobId` is NaN if the URL has no number there; then the not-found screen is shown. */
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
/** The target of a link in an email or to shared images; `linkId` is its secret. */
export type LinkRoute = StudioRoute & { linkId: string }
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
  unsubscribe: ['/:studioSlug/unsubscribe/:linkId'],
  shared: ['/:studioSlug/shared/:linkId'],
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
  orderImages: [`${job}/order/:orderNumber/images`],
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

const readParam = ({ params, query }: RouteInput, name: string): string | undefined =>
  params[name] || query.get(name) || undefined

/** Text from path or query; throws if it is in neither (section 5). */
export const textParam = (input: RouteInput, name: string): string => {
  const value = readParam(input, name)
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
  const value = readParam(input, name)
  return value === undefined ? undefined : integer(value)
}

/** An optional comma-separated list of ids; invalid entries are ignored. */
export const optionalIdsParam = (input: RouteInput, name: string): number[] | undefined => {
  const ids = readParam(input, name)
    ?.split(',')
    .map(integer)
    .filter((id) => !Number.isNaN(id))
  return ids?.length ? ids : undefined
}

/** A comma-separated list of ids. */
export const idsParam = (input: RouteInput, name: string): number[] => textParam(input, name).split(',').map(integer)

const encodePart = (value: string | number) => encodeURIComponent(String(value))
const studioPath = ({ studioSlug }: StudioRoute) => `/${encodePart(studioSlug)}`
const jobPath = (route: CustomerRoute) => `${studioPath(route)}/${route.jobId}`
const optionalIdPath = (id: number | undefined) => (id === undefined ? '' : `/${id}`)
const withQuery = (path: string, query: Record<string, string | undefined>) => {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value ? [`${name}=${encodePart(value)}`] : []))
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
  customerStudio: ({ ret, ...studioRoute }: StudioRoute & { ret?: string | undefined }) =>
    withQuery(studioPath(studioRoute), { ret }),
  customerCode: ({ code, ...studioRoute }: CodeRoute) =>
    `${studioPath(studioRoute)}/code${code ? `/${encodePart(code)}` : ''}`,
  download: ({ linkId, ...studioRoute }: LinkRoute) => `${studioPath(studioRoute)}/download/${encodePart(linkId)}`,
  subjectSearch: (route: CustomerRoute) => `${jobPath(route)}/search`,
  selectSubject: (route: CustomerRoute) => `${jobPath(route)}/select-subject`,
  /** `from` is the URL the customer wanted. */
  unavailable: ({ from, ...route }: CustomerRoute & { from?: string | undefined }) =>
    withQuery(`${jobPath(route)}/unavailable`, { from }),
  /** The screens that hand a session over to another device, and accept it there. */
  handOver: (route: CustomerRoute) => `${jobPath(route)}/hand-over`,
  continueHere: (route: CustomerRoute) => `${jobPath(route)}/continue`,
  confirmCart: (route: CustomerRoute) => `${jobPath(route)}/confirmCart`,
  selectPackage: ({ subjectId, imageId, ...route }: SelectPackageRoute) =>
    `${jobPath(route)}/subject/${subjectId}/select-package${optionalIdPath(imageId)}`,
  /** A subject's details: the name if typed in here, and the studio's custom fields. */
  personDetails: ({ subjectId, ...route }: SubjectRoute) => `${jobPath(route)}/subject/${subjectId}/details`,
  packageDetails: ({ subjectId, packageIds, imageId, like, ...route }: PackageDetailsRoute) =>
    withQuery(
      `${jobPath(route)}/subject/${subjectId}/package-options/${packageIds.join(',')}${optionalIdPath(imageId)}`,
      {
        like: like?.join(','),
      },
    ),
  editCartPackage: ({ cartPackageId, ...route }: CartPackageRoute) =>
    `${jobPath(route)}/edit-cart-package/${cartPackageId}`,
  cart: (route: CustomerRoute) => `${jobPath(route)}/cart`,
  orderServices: (route: CustomerRoute) => `${jobPath(route)}/cart/services`,
  checkout: (route: CustomerRoute) => `${jobPath(route)}/checkout`,
  checkoutReview: (route: CustomerRoute) => `${jobPath(route)}/checkout/review`,
  order: ({ orderNumber, ...route }: OrderRoute) => `${jobPath(route)}/order/${encodePart(orderNumber)}`,
  orderMore: ({ orderNumber, ...route }: OrderRoute) => `${jobPath(route)}/order/${encodePart(orderNumber)}/more`,
  orderImages: ({ orderNumber, ...route }: OrderRoute) => `${jobPath(route)}/order/${encodePart(orderNumber)}/images`,
} as const

/** A local path to return to, from a query string; rejects anything that could lead elsewhere. */
export const safeReturnPath = (text: string | null | undefined): string | undefined =>
  text && /^\/(?![/\\])[^\\]*$/.test(text) ? text : undefined
