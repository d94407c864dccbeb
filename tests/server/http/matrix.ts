import type { CallName } from './approaches.ts'

/** Who comes: each in turn makes every call there is, with the ids of a studio's, a job's and a family's real things. */
export const callers = ['nobody', 'customer', 'staff', 'owner', 'otherOwner', 'administrator'] as const
export type Caller = (typeof callers)[number]

/**
 * What each is told at the door: let `in` (whatever is said inside), to open a `visit` first, to `log in`, `no` (403), or that there is
 * nothing `there` (404, as for what does not exist).
 */
export type Door = 'in' | 'visit' | 'log in' | 'no' | 'there'
export type Row = Readonly<Record<Caller, Door>>

const row = (nobody: Door, customer: Door, staff: Door, owner: Door, otherOwner: Door, administrator: Door): Row => ({
  ...{ nobody, customer, staff },
  ...{ owner, otherOwner, administrator },
})

/** Open to whoever asks. */
const anyones = row('in', 'in', 'in', 'in', 'in', 'in')
/** For the visit of a customer: who signs in has none. */
const visits = row('visit', 'in', 'visit', 'visit', 'visit', 'visit')
/** For a customer who gave the job's code. */
const parents = row('visit', 'in', 'visit', 'visit', 'visit', 'visit')
/** For everybody who works for the studio, and the platform's administrators; to another studio's owner it is not there. */
const staffs = row('log in', 'log in', 'in', 'in', 'there', 'in')
/** For its owners alone: who works there, and its money. */
const owners = row('log in', 'log in', 'no', 'in', 'there', 'in')
/** For the platform's administrators alone. */
const platforms = row('log in', 'log in', 'no', 'no', 'no', 'in')

/** The one right answer for each call and caller, written by hand (sections 4 and 6); a call that is missing here does not compile. */
export const matrix: Record<CallName, Row> = {
  getHealth: anyones,
  logIn: anyones,
  refresh: anyones,
  logOut: anyones,
  openSession: anyones,
  closeSession: anyones,
  getStudio: anyones,
  getStudioFeatures: anyones,
  redeemCode: anyones,
  getAvailability: anyones,
  tellMe: anyones,
  lookUpJob: visits,
  getJob: visits,
  getJobPreferences: parents,
  listPackages: parents,
  searchSubjects: parents,
  browseSubjects: parents,
  confirmSubject: parents,
  getSubject: parents,
  listImages: parents,
  openCart: parents,
  listCarts: parents,
  syncCart: parents,
  getCart: parents,
  getCartDetails: parents,
  deleteCart: parents,
  postCartPackage: parents,
  patchCartPackage: parents,
  deleteCartPackage: parents,
  patchTextNode: parents,
  patchImageNode: parents,
  makeHandOver: parents,
  getHandOver: parents,
  takeHandOver: anyones,
  getJobServices: parents,
  listGreenScreens: parents,
  listJobFields: parents,
  postOrderService: parents,
  postPersonalization: parents,
  postPresonalization: parents,
  deleteOrderService: parents,
  postCheckout: parents,
  getCheckout: parents,
  postPromo: parents,
  deletePromo: parents,
  validateAddress: parents,
  getTotals: parents,
  submitCheckout: parents,
  getOrder: visits,
  searchOrder: anyones,
  cancelOrder: visits,
  priceFewer: visits,
  orderFewer: visits,
  priceMore: visits,
  orderMore: visits,
  getDownload: anyones,
  renewDownload: anyones,
  submitOrders: staffs,
  getPacket: staffs,
  makePacketAgain: staffs,
  listBatches: staffs,
  getBatch: staffs,
  patchBatch: staffs,
  closeBatch: staffs,
  reopenBatch: staffs,
  submitBatch: staffs,
  takeOutOfBatch: staffs,
  putInBatch: staffs,
  moveOrder: staffs,
  cancelByStaff: owners,
  refundOrder: owners,
  resendReceipt: staffs,
  getOrderPoses: visits,
  patchOrderPoses: visits,
  patchPrintedWords: visits,
  listStudios: platforms,
  getStudioDetails: staffs,
  patchStudio: staffs,
  putLogo: staffs,
  deleteLogo: staffs,
  requestVerification: staffs,
  listFeatures: staffs,
  getPaymentConnection: owners,
  connectStripe: owners,
  removeStripe: owners,
  getOrganization: staffs,
  listOrganizations: staffs,
  postOrganization: staffs,
  putOrganization: staffs,
  deleteOrganization: staffs,
  restoreOrganization: staffs,
  validOrganization: staffs,
  getContact: staffs,
  putContact: staffs,
  postContact: staffs,
  deleteContact: staffs,
  postCheckoutContact: staffs,
  announceUploads: staffs,
  listUploads: staffs,
  getUploadProgress: staffs,
  removeUpload: staffs,
  listImageLookups: staffs,
  countImageLookups: staffs,
  getImageLookup: staffs,
  findImageOwners: staffs,
  replaceImage: staffs,
  deleteImage: staffs,
  convertImageType: staffs,
  generateThumbnail: staffs,
  checkImageUsage: staffs,
  bulkReplaceImages: staffs,
  moveImages: staffs,
  publishImages: staffs,
  makePrimary: staffs,
  orderImages: staffs,
  matchImages: staffs,
  decideCutOut: staffs,
}
