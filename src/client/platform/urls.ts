/** A studio's own pages. */
export type StudioRoute = { studioSlug: string }
/** A customer screen under a job. `jobId` is NaN when the address holds something else: the customer not-found screen. */
export type CustomerRoute = StudioRoute & { jobId: number }
/** `subjectId` is negative for a person typed in on this device (prepaid orders without imported data). */
export type SubjectRoute = CustomerRoute & { subjectId: number }
export type SelectPackageRoute = SubjectRoute & { imageId?: number | undefined }
/** `packageIds`: a standard package and its add-ons, configured in one go. */
export type PackageDetailsRoute = SelectPackageRoute & {
  packageIds: number[]
  /** Numbers of lines in the cart, somebody else's: the packages begin as these are. */
  like?: number[] | undefined
}
/** `cartPackageId` is the number this device gave the line, not the server's id. */
export type CartPackageRoute = CustomerRoute & { cartPackageId: number }
export type OrderRoute = CustomerRoute & { orderNumber: string }
export type DownloadRoute = StudioRoute & { linkId: string }
export type CodeRoute = StudioRoute & { code?: string | undefined }

const job = '/:studioSlug/:jobId'

/** Every address of the product, in wouter's notation. An id that is optional here may come from the query string instead. */
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

/** First path segments that are ours: no studio's slug, so what follows them and is not a screen is not found. */
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

/** What a pattern found in the path, and the query: the two places an id may come from. */
export type RouteInput = { params: Readonly<Record<string, string | undefined>>; query: URLSearchParams }

const raw = ({ params, query }: RouteInput, name: string): string | undefined =>
  params[name] || query.get(name) || undefined

/** Text from path or query; throws when it is in neither (section 5). */
export const textParam = (found: RouteInput, name: string): string => {
  const value = raw(found, name)
  if (value === undefined) throw new Error(`This address needs ${name}`)
  return value
}

// More digits than these are no safe integer, and no id is zero.
const integer = (text: string): number => (/^-?\d{1,15}$/.test(text) && Number.parseInt(text, 10)) || Number.NaN

/** An id, parsed as an integer (section 5): NaN for anything that cannot be one; throws when nothing is given. */
export const idParam = (found: RouteInput, name: string): number => integer(textParam(found, name))

/** The same id where the server may have given it: NaN for a negative one. */
export const serverId = (id: number): number => (id > 0 ? id : Number.NaN)

/** An id that may be missing. */
export const optionalIdParam = (found: RouteInput, name: string): number | undefined => {
  const value = raw(found, name)
  return value === undefined ? undefined : integer(value)
}

/** A comma list of ids that may be missing; what stands in it and is no id is left out. */
export const optionalIdsParam = (found: RouteInput, name: string): number[] | undefined => {
  const ids = raw(found, name)
    ?.split(',')
    .map(integer)
    .filter((id) => !Number.isNaN(id))
  return ids?.length ? ids : undefined
}

/** A comma list of ids. */
export const idsParam = (found: RouteInput, name: string): number[] => textParam(found, name).split(',').map(integer)

const part = (value: string | number) => encodeURIComponent(String(value))
const studio = ({ studioSlug }: StudioRoute) => `/${part(studioSlug)}`
const under = (route: CustomerRoute) => `${studio(route)}/${route.jobId}`
const tail = (id: number | undefined) => (id === undefined ? '' : `/${id}`)
const withQuery = (path: string, query: Record<string, string | undefined>) => {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value ? [`${name}=${part(value)}`] : []))
  return pairs.length > 0 ? `${path}?${pairs.join('&')}` : path
}

/** Makes the address of every screen. */
export const urls = {
  home: () => '/',
  login: ({ ret, expired = false }: { ret?: string | undefined; expired?: boolean } = {}) =>
    withQuery('/login', { ret, expired: expired ? '1' : undefined }),
  logout: () => '/logout',
  account: () => '/account',
  maintenance: ({ from }: { from?: string | undefined } = {}) => withQuery('/maintenance', { from }),
  /** The studio's job search; `ret` is where the person wanted to go before a code was needed. */
  customerStudio: ({ ret, ...place }: StudioRoute & { ret?: string | undefined }) => withQuery(studio(place), { ret }),
  customerCode: ({ code, ...place }: CodeRoute) => `${studio(place)}/code${code ? `/${part(code)}` : ''}`,
  download: ({ linkId, ...place }: DownloadRoute) => `${studio(place)}/download/${part(linkId)}`,
  subjectSearch: (route: CustomerRoute) => `${under(route)}/search`,
  selectSubject: (route: CustomerRoute) => `${under(route)}/select-subject`,
  /** `from` is where the person wanted to go. */
  unavailable: ({ from, ...route }: CustomerRoute & { from?: string | undefined }) =>
    withQuery(`${under(route)}/unavailable`, { from }),
  /** Where a visit is handed to another device, and where that one takes it. */
  handOver: (route: CustomerRoute) => `${under(route)}/hand-over`,
  continueHere: (route: CustomerRoute) => `${under(route)}/continue`,
  confirmCart: (route: CustomerRoute) => `${under(route)}/confirmCart`,
  selectPackage: ({ subjectId, imageId, ...route }: SelectPackageRoute) =>
    `${under(route)}/subject/${subjectId}/select-package${tail(imageId)}`,
  /** Who a person is: their name, where it was typed in here, and what the studio asks of everybody. */
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

/** A path of this product to go back to, from a query string; anything that could lead elsewhere is not one. */
export const safeReturnPath = (text: string | null | undefined): string | undefined =>
  text && /^\/(?![/\\])[^\\]*$/.test(text) ? text : undefined
