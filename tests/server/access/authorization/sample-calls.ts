import type { allCalls } from '#contract/calls.ts'
import { chosen, onePrint, quantity } from '../../carts/cart-fixtures.ts'
import { details } from '../../payments/checkout-driver.ts'
import type { OtherTenantFixtures } from './other-tenant-fixtures.ts'

export type CallName = keyof typeof allCalls

export type Parts = {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number>>
  body?: object
  /** A form is parsed before its target is looked up. */
  sends?: 'a form'
}

/**
 * How a stranger calls for something that is not theirs: with whose ids, and the answer to one who may be there for something of their own.
 * For calls of `anyone`, that is any caller; for calls of a job or a studio, those who may be in it. `open`: the call is allowed; then it
 * reveals and changes nothing of the other tenant's.
 */
export type SampleCall = {
  parts?: (theirs: OtherTenantFixtures) => Parts
  inside: string | 'open'
  /** The answer in another job, and in another studio, where these differ. */
  nextDoor?: string
  abroad?: string
}

const notGiven = '403 not-allowed Data import is not switched on for this studio'
const noOrder = '404 not-found Could not find this order'
const nothingThere = '404 not-found We could not find this'
const notConfirmed = '403 grant-needed Please choose and confirm this person first'
const noEntry = '403 not-allowed Order entry is not switched on for this studio'
const fixFields = '422 refused Please fix the fields marked below'
const unknownInvitation = '422 refused We do not know this invitation. Please look for a newer one in your mail'
const gallery = { orderMethod: 'gallery' }

const ofOrder = (theirs: OtherTenantFixtures, more: Parts = {}): Parts => ({
  ...more,
  params: { orderId: theirs.orderNumber },
})
const ofAttempt: SampleCall = {
  parts: ({ asked: { attemptId, checkoutId } }) => ({ params: { attemptId, checkoutId } }),
  inside: nothingThere,
}
const ofMoreAttempt: SampleCall = {
  // A number whose request never arrived: anyone with the order's access may ask about it.
  parts: ({ awaitedNumber }) => ({
    params: { orderId: awaitedNumber, attemptId: '00000000-0000-4000-8000-000000000001' },
  }),
  inside: noOrder,
}
const ofStaff = (theirs: OtherTenantFixtures, body: object = {}): Parts => ({
  params: { orderNumber: theirs.submittedNumber },
  body,
})

const ofLine = ({ awaitedNumber, awaitedLineId }: OtherTenantFixtures, wanted: number, more: object = {}): Parts => ({
  params: { orderId: awaitedNumber },
  body: { packages: [{ lineId: awaitedLineId, quantity: wanted }], ...more },
})

const ofImport = ({ importId }: OtherTenantFixtures, body?: object): Parts => ({
  params: { importId },
  ...(body && { body }),
})
const uses = [{ column: 0, target: 'fullName', field: null }]
const ofTheirJob =
  (body?: object) =>
  ({ archivedId }: OtherTenantFixtures): Parts => ({ params: { organizationId: archivedId }, ...(body && { body }) })
const ofImage =
  (body?: object) =>
  ({ archivedId, adaImageId }: OtherTenantFixtures): Parts => ({
    params: { organizationId: archivedId, imageId: adaImageId },
    ...(body && { body }),
  })
const contact = {
  ...{ firstName: 'Charles', lastName: 'Babbage', title: '', email: '', phone: '' },
  address: { address1: '2 Dock Street', address2: '', city: 'Dayton', state: 'OH', zip: '45402' },
}
/**
 * An organization of the other tenant: other studios do not find it, their own studio does from any job. A stale version is refused as
 * such.
 */
const ofOrganization = (own: string, parts: (theirs: OtherTenantFixtures) => Parts): SampleCall => ({
  parts,
  inside: nothingThere,
  nextDoor: own,
  abroad: nothingThere,
})
const tooLate = '409 conflict Somebody changed this in the meantime. Look at the newest and try again'

const ofWhich =
  (more: object = {}) =>
  ({ placedNumber, submittedNumber, awaitedNumber }: OtherTenantFixtures): Parts => ({
    body: { which: { orderNumbers: [placedNumber, submittedNumber, awaitedNumber] }, ...more },
  })

const ofBatch = ({ batchId }: OtherTenantFixtures): Parts => ({ params: { batchId }, body: { version: 2 } })

const ofGroup = ({ groupId }: OtherTenantFixtures): Parts => ({ params: { id: groupId } })

const newPerson = { firstName: 'Charles', lastName: 'Babbage' }

let names = 0
/** Group names in a job are unique. */
const newName = (): number => {
  names += 1
  return names
}
const stale = '409 conflict Somebody changed this in the meantime. Look at the newest and try again'
/** By a job's own id: its studio may read it from anywhere, and an unknown version changes nothing. */
const ofJobItself = ({ jobId }: OtherTenantFixtures): Parts => ({ params: { jobId } })
const ofNoVersion =
  (body: object = {}) =>
  ({ jobId }: OtherTenantFixtures): Parts => ({ params: { jobId }, body: { version: 99, ...body } })
const looked: SampleCall = { parts: ofJobItself, inside: 'open', abroad: nothingThere }
const changed = (body?: object): SampleCall => ({ parts: ofNoVersion(body), inside: stale, abroad: nothingThere })

/** An entry of the other tenant's catalogue: other studios do not find it, their own studio does from any job. */
const ofCatalogue = (own: string, parts: (theirs: OtherTenantFixtures) => Parts): SampleCall => ({
  parts,
  inside: nothingThere,
  nextDoor: own,
  abroad: nothingThere,
})

const noGreenScreens = '403 not-allowed Green screens are not switched on for this studio'

const newPackage = ({ productCode }: OtherTenantFixtures) => {
  const item = { ...onePrint(9).items[0], productCode }
  const imageNodes = item.imageNodes?.map((node) => ({ ...node, productCode }))
  const addon = { type: 'standard', requiredMinPrice: null, requiresStandard: false, packageId: null }
  return {
    name: 'Mine',
    retailCost: 9,
    altName: null,
    altDescription: null,
    items: [{ ...item, imageNodes }],
    packageAddon: addon,
  }
}
const asSold = { offeredPrepay: true, offeredGallery: true, taxClass: 'standard', version: 99 }

/** A sample for each call: one that is missing here does not compile. */
export const sampleCalls: Record<CallName, SampleCall> = {
  getHealth: { inside: 'open' },
  logIn: {
    parts: ({ email }) => ({ body: { username: email, password: 'the studio’s own?' } }),
    inside: '401 authentication-failed Failed to authenticate',
  },
  refresh: { parts: () => ({ body: { refreshToken: 'A'.repeat(43) } }), inside: '401 invalid-token Invalid token' },
  logOut: { parts: () => ({ body: { refreshToken: 'A'.repeat(43) } }), inside: 'open' },
  // The answer must not reveal whether the address has an account.
  forgotPassword: { parts: ({ email }) => ({ body: { email } }), inside: 'open' },
  resetPassword: {
    parts: () => ({ body: { token: 'A'.repeat(43), password: 'a stranger’s own' } }),
    inside: '422 refused We do not know this link. Please ask for a new one',
  },
  setUp: {
    parts: ({ slug, email }) => ({
      body: { studioName: 'Else', slug, name: 'Charles', email, password: 'a stranger’s own' },
    }),
    inside: fixFields,
  },
  checkSlug: { parts: ({ slug }) => ({ query: { slug } }), inside: 'open' },
  readInvitation: { parts: () => ({ body: { token: 'A'.repeat(43) } }), inside: unknownInvitation },
  acceptInvitation: {
    parts: () => ({ body: { token: 'A'.repeat(43), name: 'Charles', password: 'a stranger’s own' } }),
    inside: unknownInvitation,
  },
  changePassword: {
    parts: () => ({
      body: { currentPassword: 'the studio’s own?', newPassword: 'a stranger’s own', refreshToken: 'A'.repeat(43) },
    }),
    inside: fixFields,
  },
  getAccount: { inside: 'open' },
  patchAccount: {
    parts: () => ({ body: { version: 99, name: 'Charles' } }),
    inside: '409 conflict Somebody changed this in the meantime. Look at the newest and try again',
  },
  getUserPreferences: { inside: 'open' },
  patchUserPreferences: { parts: () => ({ body: { UseDarkMode: true } }), inside: 'open' },
  getOwnPreferences: { inside: 'open' },
  patchOwnPreferences: { parts: () => ({ body: { UseDarkMode: true } }), inside: 'open' },
  getUser: { parts: ({ colleagueId }) => ({ params: { id: colleagueId } }), inside: 'open', abroad: nothingThere },
  listUsers: { parts: () => ({ query: { filter: 'nobody' } }), inside: 'open' },
  inviteUser: {
    parts: ({ email }) => ({ body: { name: 'Charles', email, role: 'owner' } }),
    inside: fixFields,
  },
  putUser: {
    parts: ({ userId }) => ({
      params: { id: userId },
      body: { version: 99, name: 'Charles', role: 'staff', isDisabled: true },
    }),
    inside: '409 conflict Somebody changed this in the meantime. Look at the newest and try again',
    abroad: nothingThere,
  },
  removeUser: {
    parts: ({ userId }) => ({ params: { id: userId } }),
    inside: '422 refused A studio needs an owner who can sign in. Make somebody else an owner first',
    abroad: nothingThere,
  },
  listInvitations: { inside: 'open' },
  resendInvitation: {
    parts: ({ invitationId }) => ({ params: { invitationId }, body: {} }),
    inside: '422 refused This was sent a moment ago. Please wait a minute',
    abroad: nothingThere,
  },
  // An accepted invitation: the studio itself could revoke an open one.
  revokeInvitation: {
    parts: ({ acceptedInvitationId }) => ({ params: { invitationId: acceptedInvitationId } }),
    inside: nothingThere,
  },
  openSession: { inside: 'open' },
  closeSession: { inside: 'open' },
  getStudio: { inside: 'open' },
  getStudioFeatures: { inside: 'open' },
  redeemCode: {
    parts: () => ({ query: { code: 'SPRINGS' } }),
    inside: '404 not-found We do not know this code. Please look at it again',
  },
  getAvailability: { inside: 'open' },
  tellMe: { parts: () => ({ body: { email: 'somebody@else.test' } }), inside: 'open' },
  notifyMeOfImages: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId }, body: { email: 'somebody@else.test' } }),
    inside: notConfirmed,
    nextDoor: nothingThere,
  },
  lookUpJob: { inside: 'open' },
  getJob: { inside: 'open' },
  getJobPreferences: { inside: 'open' },
  listPackages: { inside: 'open' },
  searchSubjects: { parts: () => ({ query: { firstName: 'Ad', lastName: 'Lovelace' } }), inside: 'open' },
  browseSubjects: { inside: notConfirmed },
  confirmSubject: {
    parts: ({ adaId }) => ({ body: { subjectId: adaId, proof: 'a'.repeat(22) } }),
    inside: nothingThere,
  },
  getSubject: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId } }),
    inside: notConfirmed,
    nextDoor: nothingThere,
  },
  listImages: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId } }),
    inside: notConfirmed,
    nextDoor: nothingThere,
  },
  checkImages: { parts: () => ({ body: { photos: ['/photos/none/1/thumb-00000000'] } }), inside: 'open' },
  openCart: { parts: () => ({ body: gallery }), inside: 'open' },
  listCarts: { inside: 'open' },
  syncCart: {
    parts: ({ cartId, lineId }) => ({
      body: { ...gallery, cartId, mutations: [quantity(lineId, 7)] },
    }),
    inside: 'open',
  },
  getCart: { parts: () => ({ query: gallery }), inside: 'open' },
  getCartDetails: { parts: () => ({ query: gallery }), inside: 'open' },
  deleteCart: { parts: () => ({ query: gallery }), inside: 'open' },
  postCartPackage: {
    parts: ({ packageId, adaId }) => ({ body: { packageId, subjectId: adaId, ...gallery } }),
    inside: '422 refused Please choose and confirm this person first',
    nextDoor: '422 refused This package is not on offer any more',
  },
  patchCartPackage: {
    parts: ({ cartPackageId }) => ({ params: { id: cartPackageId }, body: { quantity: 7 } }),
    inside: nothingThere,
  },
  deleteCartPackage: { parts: ({ cartPackageId }) => ({ params: { id: cartPackageId } }), inside: nothingThere },
  patchTextNode: {
    parts: ({ textNodeId }) => ({ params: { id: textNodeId }, body: { value: 'Not Ada' } }),
    inside: nothingThere,
  },
  patchImageNode: {
    parts: ({ imageNodeId }) => ({ params: { id: imageNodeId }, body: { rotation: 90 } }),
    inside: nothingThere,
  },
  makeHandOver: { parts: () => ({ body: gallery }), inside: 'open' },
  getHandOver: { inside: nothingThere },
  takeHandOver: {
    parts: ({ handOver }) => ({
      // The id is visible to its own device only, and does not authorize.
      body: { token: handOver.id.replaceAll('-', '').slice(0, 22), secret: 'S'.repeat(22), holdsCart: false },
    }),
    inside:
      '404 not-found This link was used already, or its ten minutes are over. Make a new one on your other device',
  },
  getJobServices: { inside: 'open' },
  listGreenScreens: { inside: 'open' },
  listJobFields: { inside: 'open' },
  postOrderService: {
    parts: ({ adaId, serviceId, cartId }) => ({
      body: { subjectId: adaId, orderServiceId: serviceId, cartId, ...gallery },
    }),
    inside: nothingThere,
  },
  postPersonalization: {
    parts: ({ adaId, personalId, cartId }) => ({
      body: { subjectId: adaId, orderServiceId: personalId, cartId, ...gallery, ...printed },
    }),
    inside: nothingThere,
  },
  postPresonalization: {
    parts: ({ adaId, personalId, cartId }) => ({
      body: { subjectId: adaId, orderServiceId: personalId, cartId, ...gallery, ...printed },
    }),
    inside: nothingThere,
  },
  deleteOrderService: { parts: ({ cartServiceId }) => ({ params: { id: cartServiceId } }), inside: nothingThere },
  postCheckout: {
    parts: ({ checkoutId }) => ({
      body: { checkoutId, ...details({ customer: stranger, billingAddress: home, shippingAddress: home }) },
    }),
    inside: '409 conflict Somebody changed this in the meantime. Look at the newest and try again',
    // A checkout's id is unique within its studio: in another studio the same id is another checkout.
    abroad: 'open',
  },
  getCheckout: { parts: ({ checkoutId }) => ({ query: { checkoutId, ...gallery } }), inside: 'open' },
  postPromo: {
    parts: ({ checkoutId }) => ({ body: { code: 'SAVE10', checkoutId, ...gallery } }),
    inside: '422 refused Your cart is empty',
  },
  deletePromo: { parts: () => ({ query: gallery }), inside: 'open' },
  validateAddress: {
    parts: () => ({
      body: { address1: '1 Mill Street', address2: '', city: 'Dayton', state: 'OH', zip: '45402' },
    }),
    inside: 'open',
  },
  getTotals: { parts: () => ({ query: gallery }), inside: '422 refused Your cart is empty' },
  submitCheckout: {
    parts: ({ asked }) => ({
      body: { orderMethod: 'prepay', ...asked, paymentToken: 'test_visa', authentication: 'confirmed' },
    }),
    inside: nothingThere,
  },
  getAttempt: ofAttempt,
  abandonAttempt: ofAttempt,
  getOrder: { parts: (theirs) => ofOrder(theirs), inside: noOrder },
  searchOrder: {
    parts: ({ orderNumber }) => ({ query: { orderNumber, email: 'somebody@else.test' } }),
    inside: noOrder,
  },
  cancelOrder: { parts: (theirs) => ofOrder(theirs, { body: {} }), inside: noOrder },
  getDownload: {
    // The right link with one letter changed.
    parts: ({ allLink }) => ({ params: { linkId: otherLast(allLink) } }),
    inside: '404 not-found The link is incomplete or no longer works. Ask the studio for a new one',
  },
  renewDownload: {
    // Another order of theirs with the right e-mail address, but not the order of this link.
    parts: ({ allLink, submittedNumber, orderEmail }) => ({
      params: { linkId: allLink },
      body: { orderNumber: submittedNumber, email: orderEmail },
    }),
    inside: noOrder,
  },
  submitOrders: {
    parts: ({ placedNumber }) => ({ body: { orderNumbers: [placedNumber] } }),
    inside: '404 not-found Not all of these orders are here',
  },
  makePacketAgain: { parts: ({ packetId }) => ({ params: { packetId }, body: {} }), inside: nothingThere },
  listPackets: { inside: 'open' },
  getPacketFiles: { parts: ({ packetId }) => ({ params: { packetId } }), inside: nothingThere },
  takePacketBack: { parts: ({ packetId }) => ({ params: { packetId }, body: {} }), inside: nothingThere },
  listStaffOrders: { inside: 'open' },
  getOrderCounts: { inside: 'open' },
  // Orders are selected within the job only: nothing of another job is found or changed.
  submitReady: { parts: ofWhich(), inside: 'open' },
  moveOrders: { parts: ofWhich({ to: 'inProduction' }), inside: 'open' },
  placeMainPictures: { parts: ofWhich(), inside: 'open' },
  getStaffOrder: { parts: ({ orderNumber }) => ({ params: { orderNumber } }), inside: noOrder },
  getRoster: { inside: 'open' },
  announceUploads: {
    parts: ({ adaId }) => ({
      body: { files: [{ fingerprint: 'a'.repeat(20), fileName: 'a.jpg', byteSize: 10 }], subjectId: adaId },
    }),
    inside: nothingThere,
  },
  listUploads: { inside: 'open' },
  getUploadProgress: { inside: 'open' },
  removeUpload: { parts: ({ uploadId }) => ({ params: { id: uploadId } }), inside: nothingThere },
  listImageLookups: { parts: ofTheirJob(), inside: nothingThere },
  countImageLookups: { parts: ofTheirJob(), inside: nothingThere },
  findImageOwners: { parts: ofTheirJob(), inside: nothingThere },
  getImageLookup: { parts: ofImage(), inside: nothingThere },
  replaceImage: { parts: (theirs) => ({ ...ofImage()(theirs), sends: 'a form' }), inside: nothingThere },
  bulkReplaceImages: { parts: (theirs) => ({ ...ofTheirJob()(theirs), sends: 'a form' }), inside: nothingThere },
  deleteImage: { parts: ofImage(), inside: nothingThere },
  convertImageType: { parts: ofImage({ version: 1 }), inside: nothingThere },
  generateThumbnail: { parts: ofImage({}), inside: nothingThere },
  makePrimary: { parts: ofImage({}), inside: nothingThere },
  decideCutOut: { parts: ofImage({ version: 1, decision: 'accept' }), inside: nothingThere },
  checkImageUsage: {
    parts: ({ archivedId, adaImageId }) => ({
      params: { organizationId: archivedId },
      body: { ImageIds: [adaImageId] },
    }),
    inside: nothingThere,
  },
  moveImages: {
    parts: ({ archivedId, adaImageId }) => ({
      params: { organizationId: archivedId },
      body: { imageIds: [adaImageId], to: { nobody: true }, evenIfOrdered: true },
    }),
    inside: nothingThere,
  },
  publishImages: { parts: ofTheirJob({ imageIds: null, published: false }), inside: nothingThere },
  orderImages: {
    parts: ({ archivedId, adaImageId }) => ({
      params: { organizationId: archivedId },
      body: { imageIds: [adaImageId] },
    }),
    inside: nothingThere,
  },
  matchImages: { parts: ofTheirJob({ by: 'fileName' }), inside: nothingThere },
  getMatchRun: { parts: ofTheirJob(), inside: nothingThere },
  listBatches: { inside: 'open' },
  getBatch: { parts: ({ batchId }) => ({ params: { batchId } }), inside: nothingThere },
  patchBatch: {
    parts: ({ batchId }) => ({ params: { batchId }, body: { version: 1, closesOn: null } }),
    inside: nothingThere,
  },
  closeBatch: { parts: ofBatch, inside: nothingThere },
  reopenBatch: { parts: ofBatch, inside: nothingThere },
  submitBatch: { parts: ofBatch, inside: nothingThere },
  takeOutOfBatch: { parts: ({ placedNumber }) => ({ params: { orderNumber: placedNumber } }), inside: noOrder },
  putInBatch: { parts: ({ placedNumber }) => ({ params: { orderNumber: placedNumber }, body: {} }), inside: noOrder },
  sendImport: { inside: '415 unsupported-media We cannot read this kind of content', abroad: notGiven },
  listImports: { inside: 'open', abroad: notGiven },
  getImport: { parts: (theirs) => ofImport(theirs), inside: nothingThere, abroad: notGiven },
  patchImport: {
    parts: (theirs) => ofImport(theirs, { version: 1, headerRow: 0 }),
    inside: nothingThere,
    abroad: notGiven,
  },
  previewImport: {
    parts: (theirs) => ofImport(theirs, { version: 2, uses, matches: 'update' }),
    inside: nothingThere,
    abroad: notGiven,
  },
  listImportRows: { parts: (theirs) => ofImport(theirs), inside: nothingThere, abroad: notGiven },
  runImport: { parts: (theirs) => ofImport(theirs, { version: 4 }), inside: nothingThere, abroad: notGiven },
  undoImport: { parts: (theirs) => ofImport(theirs, { version: 6 }), inside: nothingThere, abroad: notGiven },
  deleteImport: { parts: (theirs) => ofImport(theirs), inside: nothingThere, abroad: notGiven },
  cancelByStaff: { parts: (theirs) => ofStaff(theirs, { reason: 'Mine' }), inside: noOrder },
  priceFewer: { parts: (theirs) => ofLine(theirs, 0), inside: noOrder },
  orderFewer: { parts: (theirs) => ofLine(theirs, 0, { backCents: 1 }), inside: noOrder },
  priceMore: { parts: (theirs) => ofLine(theirs, 2), inside: noOrder },
  orderMore: {
    parts: (theirs) => ofLine(theirs, 2, { attemptId: theirs.attemptId, paymentToken: 'test_visa', chargeCents: 1 }),
    inside: noOrder,
  },
  getMoreAttempt: ofMoreAttempt,
  abandonMoreAttempt: ofMoreAttempt,
  patchPrintedWords: {
    parts: ({ awaitedNumber, awaitedLineId }) => ({
      params: { orderId: awaitedNumber, lineId: awaitedLineId },
      body: { nameToPrint: 'Not Bo', yearToPrint: '2027' },
    }),
    inside: noOrder,
  },
  getPacket: { parts: ({ packetId }) => ({ params: { packetId } }), inside: nothingThere },
  moveOrder: { parts: (theirs) => ofStaff(theirs, { to: 'inProduction' }), inside: noOrder },
  refundOrder: { parts: (theirs) => ofStaff(theirs, { amountCents: 1, reason: 'Mine' }), inside: noOrder },
  resendReceipt: { parts: (theirs) => ofStaff(theirs), inside: noOrder },
  getGroup: { parts: ofGroup, inside: nothingThere },
  listGroups: { inside: 'open' },
  postGroup: { parts: () => ({ body: { name: `Group ${newName()}` } }), inside: 'open' },
  putGroup: {
    parts: (theirs) => ({ ...ofGroup(theirs), body: { version: 1, name: 'Not theirs' } }),
    inside: nothingThere,
  },
  deleteGroup: { parts: ofGroup, inside: nothingThere },
  postSubject: {
    parts: ({ archivedId }) => ({ params: { organizationId: archivedId }, body: newPerson }),
    inside: nothingThere,
  },
  postJobSubject: { parts: () => ({ body: newPerson }), inside: 'open' },
  postSubjects: {
    parts: ({ archivedId }) => ({ params: { organizationId: archivedId }, body: { subjects: [newPerson] } }),
    inside: nothingThere,
  },
  postJobSubjects: { parts: () => ({ body: { subjects: [newPerson] } }), inside: 'open' },
  listSubjects: { inside: 'open' },
  getStudioSubject: { parts: ({ adaId }) => ({ params: { subjectId: adaId } }), inside: nothingThere },
  patchSubject: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId }, body: { version: 1, reference: 'A-1' } }),
    inside: nothingThere,
  },
  // A subject of another job is not found, and nothing is done with them.
  editSubjects: {
    parts: ({ adaId }) => ({ body: { whom: { ids: [adaId] }, edit: { do: 'show' } } }),
    inside: 'open',
  },
  undoEdit: { parts: ({ editId }) => ({ params: { editId }, body: {} }), inside: nothingThere },
  eraseSubjects: {
    parts: ({ adaId }) => ({ body: { ids: [adaId], typed: 'Ada Lovelace' } }),
    inside: '404 not-found Not all of these people are here any more',
  },
  getOrderPoses: { parts: ({ awaitedNumber }) => ({ params: { orderId: awaitedNumber } }), inside: noOrder },
  patchOrderPoses: {
    parts: ({ awaitedNumber, awaitedLineId, nodeId, boImageId }) => ({
      params: { orderId: awaitedNumber, lineId: awaitedLineId },
      body: { imageNodes: [chosen(nodeId, boImageId)] },
    }),
    inside: noOrder,
  },
  getShoot: { inside: 'open' },
  listShootPeople: { inside: 'open' },
  findByCard: {
    parts: () => ({ params: { code: 'ADALVL' } }),
    inside: '404 not-found Nobody of this job has this code',
    nextDoor: '422 refused This card belongs to “Spring Portraits”, not to this job',
    abroad: '404 not-found Nobody of this job has this code',
  },
  listCheckIns: { inside: 'open' },
  markPerson: {
    parts: ({ adaId }) => ({ body: { ...atTheShoot, subjectId: adaId, kind: 'present' } }),
    inside: '404 not-found This person is not on the list of this job',
  },
  patchMark: { parts: ({ markKey }) => ({ params: { key: markKey }, body: { note: 'Mine' } }), inside: nothingThere },
  undoMark: { parts: ({ markKey }) => ({ params: { key: markKey }, body: {} }), inside: nothingThere },
  walkUp: {
    parts: () => ({ body: { ...atTheShoot, firstName: 'Eve', lastName: 'Stranger', groupName: '', code: '' } }),
    inside: 'open',
  },
  getEntryForm: { inside: noEntry, nextDoor: 'open', abroad: noEntry },
  listEntrySubjects: { inside: noEntry, nextDoor: 'open', abroad: noEntry },
  priceEntry: {
    parts: ({ entering }) => ({ body: entering.draft }),
    inside: noEntry,
    nextDoor: '422 refused This package is not on offer any more',
    abroad: noEntry,
  },
  enterOrder: {
    parts: ({ entering }) => ({ body: entering }),
    inside: noEntry,
    nextDoor: '422 refused This package is not on offer any more',
    abroad: noEntry,
  },
  listEntered: { inside: noEntry, nextDoor: 'open', abroad: noEntry },
  getEntered: {
    parts: ({ enteredNumber }) => ({ params: { orderNumber: enteredNumber } }),
    inside: noEntry,
    nextDoor: noOrder,
    abroad: noEntry,
  },
  getStudioHome: { inside: 'open' },
  listJobs: { inside: 'open' },
  listOrganizationJobs: {
    parts: ({ organizationId }) => ({ params: { organizationId } }),
    inside: 'open',
    abroad: nothingThere,
  },
  postJob: {
    parts: ({ organizationId }) => ({ body: { organizationId, name: 'Mine', prepay: true, gallery: false } }),
    inside: 'open',
    abroad: '422 refused Please fix the fields marked below',
  },
  getStaffJob: looked,
  getJobOverview: looked,
  getJobSettings: looked,
  getJobWorkflow: looked,
  deleteJob: {
    parts: ofJobItself,
    inside: '422 refused Somebody has ordered here. Archive this event instead: its orders stay',
    abroad: nothingThere,
  },
  publishJob: changed(),
  unpublishJob: changed(),
  archiveJob: changed(),
  restoreJob: changed(),
  duplicateJob: {
    parts: ({ jobId }) => ({ params: { jobId }, body: { name: 'Mine' } }),
    inside: 'open',
    abroad: nothingThere,
  },
  patchGeneral: changed({ name: 'Mine' }),
  patchStandard: changed({ allowRetouch: true }),
  patchPreorder: changed({ shipsHome: false }),
  patchGallery: changed({ isPublic: true }),
  putPrefields: changed({ fields: [] }),
  listWorkflows: { inside: 'open' },
  chooseWorkflow: changed({ workflowId: null }),
  tickWorkflow: changed({ step: 0, done: true }),
  listStudios: { inside: 'open' },
  getStudioDetails: { inside: 'open' },
  patchStudio: { parts: () => ({ body: { version: 1 } }), inside: 'open' },
  putLogo: { inside: '415 unsupported-media We cannot read this kind of content' },
  deleteLogo: { inside: 'open' },
  requestVerification: { parts: () => ({ body: { accountNumber: '4600900', password: 'theirs' } }), inside: 'open' },
  listFeatures: { inside: 'open' },
  getPaymentConnection: { inside: 'open' },
  listHosts: { inside: 'open' },
  checkHost: {
    parts: () => ({ body: { hostName: 'photos.theirs.test' } }),
    inside: '422 refused This host name is not in your settings anymore',
  },
  connectStripe: {
    parts: () => ({ query: { code: 'ac_theirs' } }),
    inside: '422 refused Test payments need no connection: no real money is taken here',
  },
  removeStripe: { inside: 'open' },
  listOrganizations: { inside: 'open' },
  validOrganization: { parts: () => ({ query: { name: 'Lincoln' } }), inside: 'open' },
  postOrganization: { parts: () => ({ body: { name: '', type: 'school' } }), inside: fixFields },
  getOrganization: ofOrganization('open', ({ organizationId }) => ({ params: { id: organizationId } })),
  putOrganization: ofOrganization(tooLate, ({ organizationId }) => ({
    params: { id: organizationId },
    body: { name: 'Not theirs', type: 'sport', version: 99 },
  })),
  // Archived already: deleting it again changes nothing.
  deleteOrganization: ofOrganization('open', ({ archivedId }) => ({ params: { id: archivedId } })),
  restoreOrganization: ofOrganization('open', ({ organizationId }) => ({ params: { id: organizationId } })),
  getContact: ofOrganization('open', ({ archivedId }) => ({ params: { organizationId: archivedId } })),
  putContact: ofOrganization(tooLate, ({ archivedId }) => ({
    params: { organizationId: archivedId },
    body: { ...contact, version: 99 },
  })),
  postContact: ofOrganization(tooLate, ({ archivedId }) => ({
    params: { organizationId: archivedId },
    body: { ...contact, version: 99 },
  })),
  deleteContact: ofOrganization('open', ({ organizationId }) => ({ params: { organizationId } })),
  postCheckoutContact: {
    parts: ({ archivedId }) => ({
      params: { organizationId: archivedId },
      body: { firstName: '', lastName: '', email: '', phone: '' },
    }),
    inside: nothingThere,
  },
  listProducts: { inside: 'open' },
  getPackageStart: { inside: 'open' },
  listPackageSets: { inside: 'open' },
  postPackageSet: { parts: () => ({ body: { name: 'Mine', description: '' } }), inside: 'open' },
  getPackageSet: ofCatalogue('open', ({ setId }) => ({ params: { id: setId } })),
  putPackageSet: ofCatalogue(tooLate, ({ setId }) => ({
    params: { id: setId },
    body: { name: 'Mine', description: '', version: 99 },
  })),
  // Archived already and still offered by a job: deleting it again changes nothing.
  deletePackageSet: ofCatalogue('open', ({ oldSetId }) => ({ params: { id: oldSetId } })),
  duplicatePackageSet: ofCatalogue('open', ({ setId }) => ({ params: { id: setId }, body: {} })),
  listSetPackages: ofCatalogue('open', ({ setId }) => ({ params: { packageSetId: setId } })),
  getPackage: ofCatalogue('open', ({ setId, packageId }) => ({ params: { packageSetId: setId, id: packageId } })),
  postPackage: ofCatalogue('open', (theirs) => ({ params: { packageSetId: theirs.setId }, body: newPackage(theirs) })),
  putPackage: ofCatalogue(tooLate, (theirs) => ({
    params: { packageSetId: theirs.setId, id: theirs.packageId },
    body: { ...newPackage(theirs), ...asSold },
  })),
  deletePackage: ofCatalogue(
    '422 refused “Package for 5” goes with this package. Change that one first',
    ({ setId, packageId }) => ({ params: { packageSetId: setId, id: packageId } }),
  ),
  duplicatePackage: ofCatalogue('open', ({ setId, packageId }) => ({
    params: { packageSetId: setId, id: packageId },
    body: {},
  })),
  orderPackages: ofCatalogue(tooLate, ({ setId, packageId }) => ({
    params: { packageSetId: setId },
    body: { packageIds: [packageId], version: 99 },
  })),
  getPackageOfStudio: ofCatalogue('open', ({ packageId }) => ({ params: { id: packageId } })),
  listPackagesOfStudio: { inside: 'open' },
  postPackageOfStudio: ofCatalogue('open', (theirs) => ({
    body: { ...newPackage(theirs), packageSetId: theirs.setId },
  })),
  putPackageOfStudio: ofCatalogue(tooLate, (theirs) => ({
    params: { id: theirs.packageId },
    body: { ...newPackage(theirs), ...asSold },
  })),
  deletePackageOfStudio: ofCatalogue(
    '422 refused “Package for 5” goes with this package. Change that one first',
    ({ packageId }) => ({ params: { id: packageId } }),
  ),
  getJobPackageSet: { inside: 'open' },
  putJobPackageSet: { parts: ({ setId }) => ({ body: { packageSetId: setId, version: 99 } }), inside: tooLate },
  listJobPackages: { inside: 'open' },
  listStaffGreenScreens: { inside: 'open', abroad: noGreenScreens },
  postGreenScreen: { inside: '415 unsupported-media We cannot read this kind of content', abroad: noGreenScreens },
  putGreenScreen: {
    parts: ({ greenScreenId }) => ({
      params: { id: greenScreenId },
      body: { name: 'Mine', isEnabled: false, version: 99 },
    }),
    inside: tooLate,
    nextDoor: nothingThere,
    abroad: noGreenScreens,
  },
  deleteGreenScreen: {
    parts: ({ greenScreenId }) => ({ params: { id: greenScreenId } }),
    inside: 'open',
    nextDoor: nothingThere,
    abroad: noGreenScreens,
  },
  orderGreenScreens: {
    parts: ({ greenScreenId }) => ({ body: { ids: [greenScreenId] } }),
    inside: 'open',
    nextDoor: '422 refused Not all of these backgrounds are in this event',
    abroad: noGreenScreens,
  },
}

const atTheShoot = { key: '00000000-0000-4000-8000-0000000000aa', at: '2027-04-15T09:00:00.000Z', station: '1' }

const otherLast = (linkId: string): string => `${linkId.slice(0, -1)}${linkId.endsWith('A') ? 'Q' : 'A'}`

const stranger = { firstName: 'Charles', lastName: 'Babbage', email: 'charles@else.test', phone: '937-555-0199' }
const home = {
  ...{ firstName: 'Charles', lastName: 'Babbage', address1: '2 Dock Street', address2: '' },
  ...{ city: 'Dayton', state: 'OH', zip: '45402' },
}

const printed = {
  nameOnWallets: true,
  nameOnAllPrints: false,
  yearOnWallets: false,
  yearOnAllPrints: false,
  nameToPrint: 'Not Ada',
  yearToPrint: '2027',
}
