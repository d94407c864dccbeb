import type { allCalls } from '#contract/calls.ts'
import { imageChoice, onePrint, setQuantity } from '#tests/server/carts/cart-fixtures.ts'
import { exportSettings } from '#tests/server/image-exports/export-settings.ts'
import { details } from '#tests/server/payments/checkout-driver.ts'
import type { OtherTenantFixtures } from './other-tenant-fixtures.ts'

export type CallName = keyof typeof allCalls

export type CallParts = {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number>>
  body?: object
  /** A form is parsed before its target is looked up. */
  sends?: 'a form'
}

/**
 * A call with the ids of another tenant, and the expected answer to a caller who has access to the same job, but only
 * to their own data in it (for public calls: to any caller). `allowed`: the call succeeds, and must neither reveal nor
 * change the other tenant's data.
 */
export type SampleCall = {
  parts?: (otherTenant: OtherTenantFixtures) => CallParts
  inSameJob: string | 'allowed'
  /** The answers to a caller of another job and of another studio, where they differ. */
  inOtherJob?: string
  inOtherStudio?: string
}

const noDataImport = '403 not-allowed Data import is not switched on for this studio'
const noOrder = '404 not-found Could not find this order'
const notFound = '404 not-found We could not find this'
const notConfirmed = '403 grant-needed Please choose and confirm this child first'
const noOrderEntry = '403 not-allowed Order entry is not switched on for this studio'
const noReports = '403 not-allowed Reports are not switched on for this studio'
const fixFields = '422 refused Please fix the fields marked below'
const unknownInvitation = '422 refused This invitation is not valid. Please look for a newer one in your email'
const stepExpired = '401 invalid-token This took too long. Please start again'
const gallery = { orderMethod: 'gallery' }

const payoutSample: SampleCall = {
  parts: ({ payoutId }) => ({ params: { payoutId } }),
  inSameJob: 'allowed',
  inOtherStudio: noReports,
}

const webhookDraft = { url: 'https://example.com/webhooks', events: ['order.placed'] }
const webhookSample: SampleCall = {
  parts: ({ webhookId }) => ({ params: { id: webhookId } }),
  inSameJob: 'allowed',
  inOtherStudio: notFound,
}
const deliverySample: SampleCall = {
  parts: ({ webhookId, deliveryId }) => ({ params: { id: webhookId, deliveryId } }),
  inSameJob: 'allowed',
  inOtherStudio: notFound,
}

const orderParts = (otherTenant: OtherTenantFixtures, extra: CallParts = {}): CallParts => ({
  ...extra,
  params: { orderId: otherTenant.orderNumber },
})
const attemptSample: SampleCall = {
  parts: ({ pendingAttempt: { attemptId, checkoutId } }) => ({ params: { attemptId, checkoutId } }),
  inSameJob: notFound,
}
const increaseAttemptSample: SampleCall = {
  // No request with this attempt id ever arrived: anyone with access to the order may query it.
  parts: ({ prepaidNumber }) => ({
    params: { orderId: prepaidNumber, attemptId: '00000000-0000-4000-8000-000000000001' },
  }),
  inSameJob: noOrder,
}
const staffOrderParts = (otherTenant: OtherTenantFixtures, body: object = {}): CallParts => ({
  params: { orderNumber: otherTenant.submittedNumber },
  body,
})

const lineParts = (
  { prepaidNumber, prepaidLineId }: OtherTenantFixtures,
  count: number,
  extra: object = {},
): CallParts => ({
  params: { orderId: prepaidNumber },
  body: { packages: [{ lineId: prepaidLineId, quantity: count }], ...extra },
})

const importParts = ({ importId }: OtherTenantFixtures, body?: object): CallParts => ({
  params: { importId },
  ...(body && { body }),
})
const uses = [{ column: 0, target: 'fullName', field: null }]
const organizationJobParts =
  (body?: object) =>
  ({ archivedId }: OtherTenantFixtures): CallParts => ({
    params: { organizationId: archivedId },
    ...(body && { body }),
  })
const imageParts =
  (body?: object) =>
  ({ archivedId, adaImageId }: OtherTenantFixtures): CallParts => ({
    params: { organizationId: archivedId, imageId: adaImageId },
    ...(body && { body }),
  })
const contact = {
  ...{ firstName: 'Charles', lastName: 'Babbage', title: '', email: '', phone: '' },
  address: { address1: '2 Dock Street', address2: '', city: 'Dayton', state: 'OH', zip: '45402' },
}
/**
 * An organization of the other tenant: other studios do not find it, its own studio finds it from any job. A stale
 * version is refused.
 */
const organizationSample = (
  inOtherJob: string,
  parts: (otherTenant: OtherTenantFixtures) => CallParts,
): SampleCall => ({
  parts,
  inSameJob: notFound,
  inOtherJob,
  inOtherStudio: notFound,
})
/** A call about the commissions of an organization, for which a stranger's studio lacks the feature. */
const commissionSample = (...sample: Parameters<typeof organizationSample>): SampleCall => ({
  ...organizationSample(...sample),
  inOtherStudio: noReports,
})
const orderSelectionParts =
  (extra: object = {}) =>
  ({ placedNumber, submittedNumber, prepaidNumber }: OtherTenantFixtures): CallParts => ({
    body: { which: { orderNumbers: [placedNumber, submittedNumber, prepaidNumber] }, ...extra },
  })

const batchParts = ({ batchId }: OtherTenantFixtures): CallParts => ({ params: { batchId }, body: { version: 2 } })

const groupParts = ({ groupId }: OtherTenantFixtures): CallParts => ({ params: { id: groupId } })

const newSubject = { firstName: 'Charles', lastName: 'Babbage' }

let groupCount = 0
/** Group names in a job are unique. */
const nextGroupNumber = (): number => {
  groupCount += 1
  return groupCount
}
const stale = '409 conflict Someone changed this in the meantime. Check the latest version and try again'
/** Calls with the job's own id: its studio may read the job from any job, and a stale version changes nothing. */
const jobParts = ({ jobId }: OtherTenantFixtures): CallParts => ({ params: { jobId } })
const staleJobParts =
  (body: object = {}) =>
  ({ jobId }: OtherTenantFixtures): CallParts => ({ params: { jobId }, body: { version: 99, ...body } })
const jobReadSample: SampleCall = { parts: jobParts, inSameJob: 'allowed', inOtherStudio: notFound }
const jobChangeSample = (body?: object): SampleCall => ({
  parts: staleJobParts(body),
  inSameJob: stale,
  inOtherStudio: notFound,
})

/** An entry of the other tenant's catalogue: other studios do not find it, its own studio finds it from any job. */
const catalogueSample = (inOtherJob: string, parts: (otherTenant: OtherTenantFixtures) => CallParts): SampleCall => ({
  parts,
  inSameJob: notFound,
  inOtherJob,
  inOtherStudio: notFound,
})

const savedReportSample = (...sample: Parameters<typeof catalogueSample>): SampleCall => ({
  ...catalogueSample(...sample),
  inOtherStudio: noReports,
})

let savedReportCount = 0
/** A new saved report; its name is unique in the studio. */
const newSavedReport = () => {
  savedReportCount += 1
  return { name: `Mine ${savedReportCount}`, choices: { report: 'taxes' }, schedule: null }
}

let promotionCount = 0
/** A new promotion; its code is unique in the studio. */
const newPromotion = () => {
  promotionCount += 1
  return {
    code: `MINE${promotionCount}`,
    name: '',
    kind: 'percent',
    basisPoints: 1000,
    amountCents: null,
    minimumCents: 0,
    packageIds: null,
    startsOn: null,
    endsOn: null,
    maximumUses: null,
    maximumUsesPerCustomer: null,
    isEnabled: true,
    hasSingleUseCodes: false,
    isAutomatic: false,
    isStackable: false,
  }
}
/** A used promotion that has ended: ending or deleting it again changes nothing. */
const endedPromotionParts = ({ endedPromotionId }: OtherTenantFixtures): CallParts => ({
  params: { id: endedPromotionId },
})
const jobPromotionParts = ({ jobPromotionId }: OtherTenantFixtures): CallParts => ({ params: { id: jobPromotionId } })

const noYearBook = '403 not-allowed Yearbook poses are not switched on for this studio'
/** A subject's yearbook image: the subject's own studio finds the subject in its job only. */
const yearBookSample = (body?: object): SampleCall => ({
  parts: ({ adaId }) => ({ params: { subjectId: adaId }, ...(body && { body }) }),
  inSameJob: 'allowed',
  inOtherJob: notFound,
  inOtherStudio: noYearBook,
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
const saleFields = { offeredPrepay: true, offeredGallery: true, taxClass: 'standard', version: 99 }

/** A sample for each call: one that is missing here does not compile. */
const sampleWorkflow = { name: 'Sports', steps: [{ name: 'Book the field', dueDays: -30 }] }

const sampleTaxRate = {
  ...{ region: 'IL', postalPrefix: '605', taxClass: 'standard', rateMillionths: 82_500, validFrom: '2027-01-01' },
}

const sampleFeature = { identifier: 'albums', name: 'Albums', description: '', isDefault: false }

const sampleShippingOption = {
  ...{ code: 'express', label: 'Express', description: '', shipsTo: 'home', position: 1 },
  ...{ priceCents: 1995, eachMoreCents: 0 },
}

const sampleOrderService = {
  ...{ kind: 'service', name: 'Frame', description: '', level: null, priceCents: 2500, position: 1 },
}

const sampleProduct = {
  ...{ code: '11x14', name: '11×14 print', description: '', isDigital: false, widthInches: 11, heightInches: 14 },
  ...{ taxClass: 'standard', allowCrop: true, labSku: '', costCents: 500, suggestedPriceCents: null, tagIds: [] },
}

const sampleField = {
  ...{ name: 'Club', label: 'Club', inputType: 'text', hasOptions: false, options: [], aliases: [] },
  ...{ dataClass: 'ordinary', retentionMonths: null, position: 1 },
}

const samplePlatformStudio = {
  ...{ name: 'Lakeside', slug: 'lakeside-portraits', email: '', phone: '', platformFeeBasisPoints: 250 },
}

const sampleAssertion = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
  response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
}

const sampleCredential = {
  ...{ id: 'AAAA', rawId: 'AAAA', type: 'public-key' },
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
}

const sampleWatermark = {
  ...{ name: 'Proof', kind: 'text', text: 'Proof', imageHash: null, opacityPercent: 40, placement: 'tile' },
  ...{ studioId: null, isDefault: false },
}

/** Samples of the calls of the generic pattern for a record of the platform. */
const platformSample = (idOf: (otherTenant: OtherTenantFixtures) => number, body?: object): SampleCall => ({
  parts: (otherTenant) => ({ params: { id: idOf(otherTenant) }, ...(body && { body }) }),
  inSameJob: 'allowed',
})

export const sampleCalls: Record<CallName, SampleCall> = {
  // The deletions are made in reverse order, and this one ends the access by which a supporter makes the others.
  leaveSupportAccess: platformSample(({ studioId }) => studioId),
  getOwnSupportAccess: platformSample(({ studioId }) => studioId),
  askForSupportAccess: platformSample(({ studioId }) => studioId, { reason: 'Photos are missing' }),
  openSupportAccess: platformSample(({ studioId }) => studioId, { reason: 'Photos are missing' }),
  listSupportAccesses: { inSameJob: 'allowed' },
  postSupportAccess: {
    parts: ({ userId }) => ({
      body: { administratorId: userId, hours: 1, mayChange: true, hasSharpPhotos: true },
    }),
    inSameJob: '422 refused This administrator does not work for the platform any more',
  },
  endSupportAccess: { parts: () => ({ params: { id: 1000 } }), inSameJob: notFound },
  getHealth: { inSameJob: 'allowed' },
  logIn: {
    parts: ({ email }) => ({ body: { username: email, password: 'the owner’s password?' } }),
    inSameJob: '401 authentication-failed Failed to authenticate',
  },
  verifySecondFactor: {
    parts: () => ({ body: { stepToken: 'A', method: 'authenticator', code: '123456' } }),
    inSameJob: stepExpired,
  },
  startPasskeySignIn: { parts: () => ({ body: {} }), inSameJob: 'allowed' },
  signInWithPasskey: {
    parts: () => ({ body: { challengeToken: 'A', credential: sampleAssertion } }),
    inSameJob: stepExpired,
  },
  startAuthenticatorSetUp: { parts: () => ({ body: { stepToken: 'A' } }), inSameJob: stepExpired },
  confirmAuthenticatorSetUp: {
    parts: () => ({ body: { stepToken: 'A', keyToken: 'A', code: '123456' } }),
    inSameJob: stepExpired,
  },
  startPasskeySetUp: { parts: () => ({ body: { stepToken: 'A' } }), inSameJob: stepExpired },
  confirmPasskeySetUp: {
    parts: () => ({ body: { stepToken: 'A', challengeToken: 'A', name: 'Phone', credential: sampleCredential } }),
    inSameJob: stepExpired,
  },
  getTwoFactor: { inSameJob: 'allowed' },
  authorizeTwoFactorChange: { parts: () => ({ body: { password: 'a stranger’s own' } }), inSameJob: fixFields },
  replaceRecoveryCodes: { parts: () => ({ body: { stepToken: 'A' } }), inSameJob: stepExpired },
  removeAuthenticator: { parts: () => ({ body: { stepToken: 'A' } }), inSameJob: stepExpired },
  renamePasskey: { parts: () => ({ params: { passkeyId: 999 }, body: { name: 'Phone' } }), inSameJob: notFound },
  removePasskey: { parts: () => ({ params: { passkeyId: 999 }, body: { stepToken: 'A' } }), inSameJob: stepExpired },
  getTwoFactorPolicy: { inSameJob: 'allowed' },
  putTwoFactorPolicy: { parts: () => ({ body: { isRequired: false } }), inSameJob: 'allowed' },
  refreshTokens: {
    parts: () => ({ body: { refreshToken: 'A'.repeat(43) } }),
    inSameJob: '401 invalid-token Invalid token',
  },
  logOut: { parts: () => ({ body: { refreshToken: 'A'.repeat(43) } }), inSameJob: 'allowed' },
  // The answer must not reveal whether the address has an account.
  forgotPassword: { parts: ({ email }) => ({ body: { email } }), inSameJob: 'allowed' },
  resetPassword: {
    parts: () => ({ body: { token: 'A'.repeat(43), password: 'a stranger’s own' } }),
    inSameJob: '422 refused We do not know this link. Please ask for a new one',
  },
  setUpStudio: {
    parts: ({ slug, email }) => ({
      body: { studioName: 'Else', slug, name: 'Charles', email, password: 'a stranger’s own' },
    }),
    inSameJob: fixFields,
  },
  checkSlug: { parts: ({ slug }) => ({ query: { slug } }), inSameJob: 'allowed' },
  readInvitation: { parts: () => ({ body: { token: 'A'.repeat(43) } }), inSameJob: unknownInvitation },
  acceptInvitation: {
    parts: () => ({ body: { token: 'A'.repeat(43), name: 'Charles', password: 'a stranger’s own' } }),
    inSameJob: unknownInvitation,
  },
  changePassword: {
    parts: () => ({
      body: { currentPassword: 'the owner’s password?', newPassword: 'a stranger’s own', refreshToken: 'A'.repeat(43) },
    }),
    inSameJob: fixFields,
  },
  getAccount: { inSameJob: 'allowed' },
  patchAccount: {
    parts: () => ({ body: { version: 99, name: 'Charles' } }),
    inSameJob: '409 conflict Someone changed this in the meantime. Check the latest version and try again',
  },
  getUserPreferences: { inSameJob: 'allowed' },
  patchUserPreferences: { parts: () => ({ body: { UseDarkMode: true } }), inSameJob: 'allowed' },
  getOwnPreferences: { inSameJob: 'allowed' },
  patchOwnPreferences: { parts: () => ({ body: { UseDarkMode: true } }), inSameJob: 'allowed' },
  getUser: {
    parts: ({ colleagueId }) => ({ params: { id: colleagueId } }),
    inSameJob: 'allowed',
    inOtherStudio: notFound,
  },
  listUsers: { parts: () => ({ query: { filter: 'nobody' } }), inSameJob: 'allowed' },
  inviteUser: {
    parts: ({ email }) => ({ body: { name: 'Charles', email, role: 'owner' } }),
    inSameJob: fixFields,
  },
  putUser: {
    parts: ({ userId }) => ({
      params: { id: userId },
      body: { version: 99, name: 'Charles', role: 'staff', isDisabled: true },
    }),
    inSameJob: '409 conflict Someone changed this in the meantime. Check the latest version and try again',
    inOtherStudio: notFound,
  },
  removeUser: {
    parts: ({ userId }) => ({ params: { id: userId } }),
    inSameJob:
      '409 conflict This user is in use: riverside needs an owner who can sign in. Make someone else an owner first',
    inOtherStudio: notFound,
  },
  listInvitations: { inSameJob: 'allowed' },
  listApiTokens: { inSameJob: 'allowed' },
  postApiToken: {
    parts: () => ({ body: { name: 'Accounting', scopes: ['orders:read'], days: 30 } }),
    inSameJob: 'allowed',
  },
  deleteApiToken: {
    parts: ({ apiTokenId }) => ({ params: { tokenId: apiTokenId } }),
    inSameJob: notFound,
  },
  listWebhooks: { inSameJob: 'allowed' },
  getWebhook: webhookSample,
  postWebhook: { parts: () => ({ body: webhookDraft }), inSameJob: 'allowed' },
  putWebhook: {
    parts: ({ webhookId }) => ({ params: { id: webhookId }, body: { ...webhookDraft, isEnabled: true, version: 7 } }),
    inSameJob: stale,
    inOtherStudio: notFound,
  },
  // Of no studio, because a caller of the same studio would remove it.
  deleteWebhook: { parts: () => ({ params: { id: 999_999 } }), inSameJob: notFound },
  getWebhookSecret: webhookSample,
  rotateWebhookSecret: {
    parts: ({ webhookId }) => ({ params: { id: webhookId } }),
    inSameJob: '422 refused The previous secret is still valid. Wait until it has ended',
    inOtherStudio: notFound,
  },
  listWebhookDeliveries: webhookSample,
  getWebhookDelivery: deliverySample,
  replayWebhookDelivery: deliverySample,
  replayWebhook: {
    parts: ({ webhookId }) => ({ params: { id: webhookId }, body: { from: '2027-04-01T00:00:00Z' } }),
    inSameJob: 'allowed',
    inOtherStudio: notFound,
  },
  testWebhook: webhookSample,
  resendInvitation: {
    parts: ({ invitationId }) => ({ params: { invitationId }, body: {} }),
    inSameJob: '422 refused This was sent a moment ago. Please wait a minute',
    inOtherStudio: notFound,
  },
  // An accepted invitation: the studio itself could revoke an open one.
  revokeInvitation: {
    parts: ({ acceptedInvitationId }) => ({ params: { invitationId: acceptedInvitationId } }),
    inSameJob: notFound,
  },
  openSession: { inSameJob: 'allowed' },
  closeSession: { inSameJob: 'allowed' },
  getStudio: { inSameJob: 'allowed' },
  getStudioFeatures: { inSameJob: 'allowed' },
  redeemCode: {
    parts: () => ({ query: { code: 'SPRINGS' } }),
    inSameJob: '404 not-found We don’t know this code. Please check it',
  },
  findEvent: { parts: ({ slug }) => ({ query: { text: slug } }), inSameJob: 'allowed' },
  getAvailability: { inSameJob: 'allowed' },
  notifyMe: { parts: () => ({ body: { email: 'somebody@else.test' } }), inSameJob: 'allowed' },
  notifyMeOfImages: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId }, body: { email: 'somebody@else.test' } }),
    inSameJob: notConfirmed,
    inOtherJob: notFound,
  },
  lookUpJob: { inSameJob: 'allowed' },
  getJob: { inSameJob: 'allowed' },
  getJobPreferences: { inSameJob: 'allowed' },
  listPackages: { inSameJob: 'allowed' },
  searchSubjects: { parts: () => ({ query: { firstName: 'Ad', lastName: 'Lovelace' } }), inSameJob: 'allowed' },
  browseSubjects: { inSameJob: notConfirmed },
  listGallerySections: { inSameJob: notConfirmed },
  confirmSubject: {
    parts: ({ adaId }) => ({ body: { subjectId: adaId, proof: 'a'.repeat(22) } }),
    inSameJob: notFound,
  },
  getSubject: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId } }),
    inSameJob: notConfirmed,
    inOtherJob: notFound,
  },
  listImages: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId } }),
    inSameJob: notConfirmed,
    inOtherJob: notFound,
  },
  checkImages: { parts: () => ({ body: { photos: ['/photos/none/1/thumb-00000000'] } }), inSameJob: 'allowed' },
  openCart: { parts: () => ({ body: gallery }), inSameJob: 'allowed' },
  listCarts: { inSameJob: 'allowed' },
  syncCart: {
    parts: ({ cartId, lineId }) => ({
      body: { ...gallery, cartId, mutations: [setQuantity(lineId, 7)] },
    }),
    inSameJob: 'allowed',
  },
  getCart: { parts: () => ({ query: gallery }), inSameJob: 'allowed' },
  getCartDetails: { parts: () => ({ query: gallery }), inSameJob: 'allowed' },
  deleteCart: { parts: () => ({ query: gallery }), inSameJob: 'allowed' },
  postCartPackage: {
    parts: ({ packageId, adaId }) => ({ body: { packageId, subjectId: adaId, ...gallery } }),
    inSameJob: '422 refused Please choose and confirm this child first',
    inOtherJob: '422 refused This package is no longer offered',
  },
  patchCartPackage: {
    parts: ({ cartPackageId }) => ({ params: { id: cartPackageId }, body: { quantity: 7 } }),
    inSameJob: notFound,
  },
  deleteCartPackage: { parts: ({ cartPackageId }) => ({ params: { id: cartPackageId } }), inSameJob: notFound },
  patchTextNode: {
    parts: ({ textNodeId }) => ({ params: { id: textNodeId }, body: { value: 'Not Ada' } }),
    inSameJob: notFound,
  },
  patchImageNode: {
    parts: ({ imageNodeId }) => ({ params: { id: imageNodeId }, body: { rotation: 90 } }),
    inSameJob: notFound,
  },
  // The cart is of another session.
  getReminder: { parts: ({ cartId }) => ({ query: { cartId } }), inSameJob: notFound },
  putReminder: {
    parts: ({ cartId }) => ({ body: { cartId, email: 'somebody@else.test', kinds: ['cart'] } }),
    inSameJob: notFound,
  },
  deleteReminder: { parts: ({ cartId }) => ({ query: { cartId } }), inSameJob: notFound },
  unsubscribe: {
    parts: ({ studioId }) => ({ body: { token: `${studioId}-${'0'.repeat(64)}-${'A'.repeat(22)}` } }),
    inSameJob: notFound,
  },
  listShares: { parts: ({ adaId }) => ({ params: { subjectId: adaId } }), inSameJob: 'allowed' },
  postShare: {
    parts: ({ adaId, adaImageId }) => ({ params: { subjectId: adaId }, body: { imageIds: [adaImageId] } }),
    inSameJob: notConfirmed,
    inOtherJob: notFound,
  },
  deleteShare: {
    parts: ({ adaId, shareId }) => ({ params: { subjectId: adaId, shareId } }),
    inSameJob: notFound,
  },
  getSharedImages: {
    parts: () => ({ params: { token: 'A'.repeat(22) } }),
    inSameJob: '404 not-found This link has ended. Ask for a new one',
  },
  postHandOver: { parts: () => ({ body: gallery }), inSameJob: 'allowed' },
  getHandOver: { inSameJob: notFound },
  redeemHandOver: {
    parts: ({ handOver }) => ({
      // Only the device that created the hand-over sees its id, which gives no access.
      body: { token: handOver.id.replaceAll('-', '').slice(0, 22), secret: 'S'.repeat(22), holdsCart: false },
    }),
    inSameJob:
      '404 not-found This link was used already, or its ten minutes are over. Make a new one on your other device',
  },
  getJobServices: { inSameJob: 'allowed' },
  listGreenScreens: { inSameJob: 'allowed' },
  listJobFields: { inSameJob: 'allowed' },
  postOrderService: {
    parts: ({ adaId, serviceId, cartId }) => ({
      body: { subjectId: adaId, orderServiceId: serviceId, cartId, ...gallery },
    }),
    inSameJob: notFound,
  },
  postPersonalization: {
    parts: ({ adaId, personalizationId, cartId }) => ({
      body: { subjectId: adaId, orderServiceId: personalizationId, cartId, ...gallery, ...printed },
    }),
    inSameJob: notFound,
  },
  postPresonalization: {
    parts: ({ adaId, personalizationId, cartId }) => ({
      body: { subjectId: adaId, orderServiceId: personalizationId, cartId, ...gallery, ...printed },
    }),
    inSameJob: notFound,
  },
  deleteOrderService: { parts: ({ cartServiceId }) => ({ params: { id: cartServiceId } }), inSameJob: notFound },
  postCheckout: {
    parts: ({ checkoutId }) => ({
      body: { checkoutId, ...details({ customer: stranger, billingAddress: home, shippingAddress: home }) },
    }),
    inSameJob: '409 conflict Someone changed this in the meantime. Check the latest version and try again',
    // A checkout's id is unique within its studio: in another studio the same id is another checkout.
    inOtherStudio: 'allowed',
  },
  getCheckout: { parts: ({ checkoutId }) => ({ query: { checkoutId, ...gallery } }), inSameJob: 'allowed' },
  postPromotionCode: {
    parts: ({ checkoutId }) => ({ body: { code: 'SAVE10', checkoutId, ...gallery } }),
    inSameJob: '422 refused Your cart is empty',
  },
  deletePromotionCode: { parts: () => ({ query: gallery }), inSameJob: 'allowed' },
  validateAddress: {
    parts: () => ({
      body: { address1: '1 Mill Street', address2: '', city: 'Dayton', state: 'OH', zip: '45402' },
    }),
    inSameJob: 'allowed',
  },
  findPlace: { parts: () => ({ params: { zip: '45402' } }), inSameJob: 'allowed' },
  getTotals: { parts: () => ({ query: gallery }), inSameJob: '422 refused Your cart is empty' },
  submitCheckout: {
    parts: ({ pendingAttempt }) => ({
      body: { orderMethod: 'prepay', ...pendingAttempt, paymentToken: 'test_visa', authentication: 'confirmed' },
    }),
    inSameJob: notFound,
  },
  getPaymentAttempt: attemptSample,
  abandonPaymentAttempt: attemptSample,
  getOrder: { parts: (otherTenant) => orderParts(otherTenant), inSameJob: noOrder },
  searchOrder: {
    parts: ({ orderNumber }) => ({ query: { orderNumber, email: 'somebody@else.test' } }),
    inSameJob: noOrder,
  },
  cancelOrder: { parts: (otherTenant) => orderParts(otherTenant, { body: {} }), inSameJob: noOrder },
  quoteReduction: { parts: (otherTenant) => lineParts(otherTenant, 0), inSameJob: noOrder },
  reduceOrder: { parts: (otherTenant) => lineParts(otherTenant, 0, { refundCents: 1 }), inSameJob: noOrder },
  quoteIncrease: { parts: (otherTenant) => lineParts(otherTenant, 2), inSameJob: noOrder },
  increaseOrder: {
    parts: (otherTenant) =>
      lineParts(otherTenant, 2, { attemptId: otherTenant.attemptId, paymentToken: 'test_visa', chargeCents: 1 }),
    inSameJob: noOrder,
  },
  getIncreaseAttempt: increaseAttemptSample,
  abandonIncreaseAttempt: increaseAttemptSample,
  getDownload: {
    // The valid link with its last character changed.
    parts: ({ allLink }) => ({ params: { linkId: replaceLastCharacter(allLink) } }),
    inSameJob: '404 not-found The link is incomplete or no longer works. Ask the studio for a new one',
  },
  renewDownload: {
    // Another order of the same customer with the right email address, but not the order of this link.
    parts: ({ allLink, submittedNumber, orderEmail }) => ({
      params: { linkId: allLink },
      body: { orderNumber: submittedNumber, email: orderEmail },
    }),
    inSameJob: noOrder,
  },
  submitOrders: {
    parts: ({ placedNumber }) => ({ body: { orderNumbers: [placedNumber] } }),
    inSameJob: '404 not-found Not all of these orders are here',
  },
  getPacket: { parts: ({ packetId }) => ({ params: { packetId } }), inSameJob: notFound },
  retryPacket: { parts: ({ packetId }) => ({ params: { packetId }, body: {} }), inSameJob: notFound },
  listPackets: { inSameJob: 'allowed' },
  getPacketFiles: { parts: ({ packetId }) => ({ params: { packetId } }), inSameJob: notFound },
  recallPacket: { parts: ({ packetId }) => ({ params: { packetId }, body: {} }), inSameJob: notFound },
  listStaffOrders: { inSameJob: 'allowed' },
  getOrderCounts: { inSameJob: 'allowed' },
  // Orders are selected within the job only: nothing of another job is found or changed.
  submitReadyOrders: { parts: orderSelectionParts(), inSameJob: 'allowed' },
  moveOrders: { parts: orderSelectionParts({ to: 'inProduction' }), inSameJob: 'allowed' },
  assignMainImages: { parts: orderSelectionParts(), inSameJob: 'allowed' },
  getStaffOrder: { parts: ({ orderNumber }) => ({ params: { orderNumber } }), inSameJob: noOrder },
  getOrderDocument: {
    parts: ({ orderNumber }) => ({ params: { orderNumber, documentName: 'receipt.pdf' } }),
    inSameJob: noOrder,
  },
  getRoster: { inSameJob: 'allowed' },
  listBatches: { inSameJob: 'allowed' },
  getBatch: { parts: ({ batchId }) => ({ params: { batchId } }), inSameJob: notFound },
  patchBatch: {
    parts: ({ batchId }) => ({ params: { batchId }, body: { version: 1, closesOn: null } }),
    inSameJob: notFound,
  },
  closeBatch: { parts: batchParts, inSameJob: notFound },
  reopenBatch: { parts: batchParts, inSameJob: notFound },
  submitBatch: { parts: batchParts, inSameJob: notFound },
  removeFromBatch: { parts: ({ placedNumber }) => ({ params: { orderNumber: placedNumber } }), inSameJob: noOrder },
  addToBatch: {
    parts: ({ placedNumber }) => ({ params: { orderNumber: placedNumber }, body: {} }),
    inSameJob: noOrder,
  },
  uploadImport: { inSameJob: '415 unsupported-media We can’t read this kind of content', inOtherStudio: noDataImport },
  listImports: { inSameJob: 'allowed', inOtherStudio: noDataImport },
  getImport: { parts: (otherTenant) => importParts(otherTenant), inSameJob: notFound, inOtherStudio: noDataImport },
  patchImport: {
    parts: (otherTenant) => importParts(otherTenant, { version: 1, headerRow: 0 }),
    inSameJob: notFound,
    inOtherStudio: noDataImport,
  },
  previewImport: {
    parts: (otherTenant) => importParts(otherTenant, { version: 2, uses, matchPolicy: 'update' }),
    inSameJob: notFound,
    inOtherStudio: noDataImport,
  },
  listImportRows: {
    parts: (otherTenant) => importParts(otherTenant),
    inSameJob: notFound,
    inOtherStudio: noDataImport,
  },
  runImport: {
    parts: (otherTenant) => importParts(otherTenant, { version: 4 }),
    inSameJob: notFound,
    inOtherStudio: noDataImport,
  },
  undoImport: {
    parts: (otherTenant) => importParts(otherTenant, { version: 6 }),
    inSameJob: notFound,
    inOtherStudio: noDataImport,
  },
  deleteImport: { parts: (otherTenant) => importParts(otherTenant), inSameJob: notFound, inOtherStudio: noDataImport },
  moveOrder: { parts: (otherTenant) => staffOrderParts(otherTenant, { to: 'inProduction' }), inSameJob: noOrder },
  cancelStaffOrder: { parts: (otherTenant) => staffOrderParts(otherTenant, { reason: 'Mine' }), inSameJob: noOrder },
  refundOrder: {
    parts: (otherTenant) => staffOrderParts(otherTenant, { amountCents: 1, reason: 'Mine' }),
    inSameJob: noOrder,
  },
  resendReceipt: { parts: (otherTenant) => staffOrderParts(otherTenant), inSameJob: noOrder },
  getGroup: { parts: groupParts, inSameJob: notFound },
  listGroups: { inSameJob: 'allowed' },
  postGroup: { parts: () => ({ body: { name: `Group ${nextGroupNumber()}` } }), inSameJob: 'allowed' },
  putGroup: {
    parts: (otherTenant) => ({ ...groupParts(otherTenant), body: { version: 1, name: 'Not theirs' } }),
    inSameJob: notFound,
  },
  deleteGroup: { parts: groupParts, inSameJob: notFound },
  postSubject: {
    parts: ({ archivedId }) => ({ params: { organizationId: archivedId }, body: newSubject }),
    inSameJob: notFound,
  },
  postJobSubject: { parts: () => ({ body: newSubject }), inSameJob: 'allowed' },
  postSubjects: {
    parts: ({ archivedId }) => ({ params: { organizationId: archivedId }, body: { subjects: [newSubject] } }),
    inSameJob: notFound,
  },
  postJobSubjects: { parts: () => ({ body: { subjects: [newSubject] } }), inSameJob: 'allowed' },
  listSubjects: { inSameJob: 'allowed' },
  getStudioSubject: { parts: ({ adaId }) => ({ params: { subjectId: adaId } }), inSameJob: notFound },
  patchSubject: {
    parts: ({ adaId }) => ({ params: { subjectId: adaId }, body: { version: 1, reference: 'A-1' } }),
    inSameJob: notFound,
  },
  // A subject of another job is not found and not changed.
  editSubjects: {
    parts: ({ adaId }) => ({ body: { subjects: { ids: [adaId] }, edit: { do: 'show' } } }),
    inSameJob: 'allowed',
  },
  undoEdit: { parts: ({ editId }) => ({ params: { editId }, body: {} }), inSameJob: notFound },
  purgeSubjects: {
    parts: ({ adaId }) => ({ body: { ids: [adaId], typed: 'Ada Lovelace' } }),
    inSameJob: '404 not-found Not all of these people are here any more',
  },
  getOrderImageChoice: { parts: ({ prepaidNumber }) => ({ params: { orderId: prepaidNumber } }), inSameJob: noOrder },
  patchOrderImageChoice: {
    parts: ({ prepaidNumber, prepaidLineId, nodeId, boImageId }) => ({
      params: { orderId: prepaidNumber, lineId: prepaidLineId },
      body: { imageNodes: [imageChoice(nodeId, boImageId)] },
    }),
    inSameJob: noOrder,
  },
  patchPrintedTexts: {
    parts: ({ prepaidNumber, prepaidLineId }) => ({
      params: { orderId: prepaidNumber, lineId: prepaidLineId },
      body: { nameToPrint: 'Not Bo', yearToPrint: '2027' },
    }),
    inSameJob: noOrder,
  },
  getShoot: { inSameJob: 'allowed' },
  listShootSubjects: { inSameJob: 'allowed' },
  findSubjectByCard: {
    parts: () => ({ params: { code: 'ADALVL' } }),
    inSameJob: '404 not-found No one in this job has this code',
    inOtherJob: '422 refused This card belongs to “Spring Portraits”, not to this job',
    inOtherStudio: '404 not-found No one in this job has this code',
  },
  listCheckIns: { inSameJob: 'allowed' },
  markSubject: {
    parts: ({ adaId }) => ({ body: { ...checkInFields, subjectId: adaId, kind: 'present' } }),
    inSameJob: '404 not-found This person is not on the list of this job',
  },
  patchMark: {
    parts: ({ checkInKey }) => ({ params: { key: checkInKey }, body: { note: 'Mine' } }),
    inSameJob: notFound,
  },
  undoMark: { parts: ({ checkInKey }) => ({ params: { key: checkInKey }, body: {} }), inSameJob: notFound },
  addWalkUp: {
    parts: () => ({ body: { ...checkInFields, firstName: 'Eve', lastName: 'Stranger', groupName: '', code: '' } }),
    inSameJob: 'allowed',
  },
  getEntryForm: { inSameJob: noOrderEntry, inOtherJob: 'allowed', inOtherStudio: noOrderEntry },
  listEntrySubjects: { inSameJob: noOrderEntry, inOtherJob: 'allowed', inOtherStudio: noOrderEntry },
  priceEntry: {
    parts: ({ entryBody }) => ({ body: entryBody.draft }),
    inSameJob: noOrderEntry,
    inOtherJob: '422 refused This package is no longer offered',
    inOtherStudio: noOrderEntry,
  },
  enterOrder: {
    parts: ({ entryBody }) => ({ body: entryBody }),
    inSameJob: noOrderEntry,
    inOtherJob: '422 refused This package is no longer offered',
    inOtherStudio: noOrderEntry,
  },
  listEnteredOrders: { inSameJob: noOrderEntry, inOtherJob: 'allowed', inOtherStudio: noOrderEntry },
  getEnteredOrder: {
    parts: ({ enteredNumber }) => ({ params: { orderNumber: enteredNumber } }),
    inSameJob: noOrderEntry,
    inOtherJob: noOrder,
    inOtherStudio: noOrderEntry,
  },
  postUploads: {
    parts: ({ adaId }) => ({
      body: { files: [{ fingerprint: 'a'.repeat(20), fileName: 'a.jpg', byteSize: 10 }], subjectId: adaId },
    }),
    inSameJob: notFound,
  },
  listUploads: { inSameJob: 'allowed' },
  getUploadStates: { parts: ({ uploadId }) => ({ query: { ids: String(uploadId) } }), inSameJob: 'allowed' },
  getUploadProgress: { inSameJob: 'allowed' },
  removeUpload: { parts: ({ uploadId }) => ({ params: { id: uploadId } }), inSameJob: notFound },
  listImageLookups: { parts: organizationJobParts(), inSameJob: notFound },
  countImageLookups: { parts: organizationJobParts(), inSameJob: notFound },
  getImageLookup: { parts: imageParts(), inSameJob: notFound },
  findImageOwners: { parts: organizationJobParts(), inSameJob: notFound },
  replaceImage: { parts: (otherTenant) => ({ ...imageParts()(otherTenant), sends: 'a form' }), inSameJob: notFound },
  deleteImage: { parts: imageParts(), inSameJob: notFound },
  convertImageType: { parts: imageParts({ version: 1 }), inSameJob: notFound },
  generateThumbnail: { parts: imageParts({}), inSameJob: notFound },
  checkImageUsage: {
    parts: ({ archivedId, adaImageId }) => ({
      params: { organizationId: archivedId },
      body: { ImageIds: [adaImageId] },
    }),
    inSameJob: notFound,
  },
  bulkReplaceImages: {
    parts: (otherTenant) => ({ ...organizationJobParts()(otherTenant), sends: 'a form' }),
    inSameJob: notFound,
  },
  moveImages: {
    parts: ({ archivedId, adaImageId }) => ({
      params: { organizationId: archivedId },
      body: { imageIds: [adaImageId], to: { nobody: true }, evenIfOrdered: true },
    }),
    inSameJob: notFound,
  },
  publishImages: { parts: organizationJobParts({ imageIds: null, published: false }), inSameJob: notFound },
  setPrimaryImage: { parts: imageParts({}), inSameJob: notFound },
  patchImageOrder: {
    parts: ({ archivedId, adaImageId }) => ({
      params: { organizationId: archivedId },
      body: { imageIds: [adaImageId] },
    }),
    inSameJob: notFound,
  },
  matchImages: { parts: organizationJobParts({ by: 'fileName' }), inSameJob: notFound },
  getMatchRun: { parts: organizationJobParts(), inSameJob: notFound },
  decideCutOut: { parts: imageParts({ version: 1, decision: 'accept' }), inSameJob: notFound },
  getStudioHome: { inSameJob: 'allowed' },
  getPaymentSummary: { inSameJob: 'allowed', inOtherStudio: noReports },
  listPayouts: { inSameJob: 'allowed', inOtherStudio: noReports },
  getPayout: payoutSample,
  listPayoutTransactions: payoutSample,
  listPaymentDifferences: { inSameJob: 'allowed', inOtherStudio: noReports },
  closePaymentDifference: savedReportSample(notFound, () => ({ params: { id: 999_999 }, body: { note: 'Explained' } })),
  getPaymentBalance: { inSameJob: 'allowed', inOtherStudio: noReports },
  listJobs: { inSameJob: 'allowed' },
  listOrganizationJobs: {
    parts: ({ organizationId }) => ({ params: { organizationId } }),
    inSameJob: 'allowed',
    inOtherStudio: notFound,
  },
  postJob: {
    parts: ({ organizationId }) => ({ body: { organizationId, name: 'Mine', prepay: true, gallery: false } }),
    inSameJob: 'allowed',
    inOtherStudio: '422 refused Please fix the fields marked below',
  },
  getStaffJob: jobReadSample,
  deleteJob: {
    parts: jobParts,
    inSameJob: '422 refused This event has orders. Archive it instead: its orders stay',
    inOtherStudio: notFound,
  },
  getJobOverview: jobReadSample,
  getJobShareCounts: jobReadSample,
  publishJob: jobChangeSample(),
  unpublishJob: jobChangeSample(),
  archiveJob: jobChangeSample(),
  restoreJob: jobChangeSample(),
  duplicateJob: {
    parts: ({ jobId }) => ({ params: { jobId }, body: { name: 'Mine' } }),
    inSameJob: 'allowed',
    inOtherStudio: notFound,
  },
  getJobSettings: jobReadSample,
  patchGeneral: jobChangeSample({ name: 'Mine' }),
  patchStandard: jobChangeSample({ allowRetouch: true }),
  patchPreorder: jobChangeSample({ shipsHome: false }),
  patchGallery: jobChangeSample({ isPublic: true }),
  putPrefields: jobChangeSample({ fields: [] }),
  listWorkflows: { inSameJob: 'allowed' },
  getJobWorkflow: jobReadSample,
  chooseWorkflow: jobChangeSample({ workflowId: null }),
  tickWorkflow: jobChangeSample({ step: 0, done: true }),
  listStudios: { inSameJob: 'allowed' },
  getPlatformStudio: platformSample(({ studioId }) => studioId),
  postPlatformStudio: {
    parts: () => ({
      body: { ...samplePlatformStudio, slug: 'lakeside', ownerName: 'Lou', ownerEmail: 'lou@lake.test' },
    }),
    inSameJob: 'allowed',
  },
  putPlatformStudio: platformSample(({ studioId }) => studioId, samplePlatformStudio),
  setStudioEnabled: platformSample(({ studioId }) => studioId, { isEnabled: true, reason: '' }),
  decideVerification: {
    ...platformSample(({ studioId }) => studioId, { isVerified: true, reason: '' }),
    inSameJob: '422 refused This request was decided already',
  },
  transferOwnership: {
    parts: ({ studioId, userId }) => ({
      params: { id: studioId },
      body: { userId, reason: 'The owner sold the studio' },
    }),
    inSameJob: 'allowed',
  },
  scheduleStudioDeletion: platformSample(({ studioId }) => studioId, { reason: 'The studio has closed' }),
  cancelStudioDeletion: platformSample(({ studioId }) => studioId),
  getPlatformStudioExport: platformSample(({ studioId }) => studioId),
  startPlatformStudioExport: platformSample(({ studioId }) => studioId, {}),
  getStudioExport: { inSameJob: 'allowed' },
  startStudioExport: { inSameJob: 'allowed' },
  getStudioExportFile: {
    inSameJob: '422 refused The files of this export are not available. Start a new export',
  },
  getPlatformOrderService: platformSample(({ orderServiceId }) => orderServiceId),
  listPlatformOrderServices: { inSameJob: 'allowed' },
  postPlatformOrderService: { parts: () => ({ body: { ...sampleOrderService, name: 'Album' } }), inSameJob: 'allowed' },
  putPlatformOrderService: platformSample(({ orderServiceId }) => orderServiceId, sampleOrderService),
  deletePlatformOrderService: platformSample(({ orderServiceId }) => orderServiceId),
  getPlatformProduct: platformSample(({ productId }) => productId),
  listPlatformProducts: { inSameJob: 'allowed' },
  postPlatformProduct: { parts: () => ({ body: { ...sampleProduct, code: '16x20' } }), inSameJob: 'allowed' },
  putPlatformProduct: platformSample(({ productId }) => productId, sampleProduct),
  deletePlatformProduct: platformSample(({ productId }) => productId),
  putProductImage: {
    ...platformSample(({ productId }) => productId),
    inSameJob: '415 unsupported-media We can’t read this kind of content',
  },
  deleteProductImage: platformSample(({ productId }) => productId),
  listProductUses: platformSample(({ productId }) => productId),
  exportProducts: { parts: () => ({ body: {} }), inSameJob: 'allowed' },
  importProducts: {
    parts: () => ({ body: { csv: '' } }),
    inSameJob: '422 refused The first line has no column “Code”',
  },
  getTag: platformSample(({ tagId }) => tagId),
  listTags: { inSameJob: 'allowed' },
  postTag: { parts: () => ({ body: { name: 'School' } }), inSameJob: 'allowed' },
  putTag: platformSample(({ tagId }) => tagId, { name: 'Club' }),
  deleteTag: platformSample(({ tagId }) => tagId),
  exportTaxRates: { parts: () => ({ body: {} }), inSameJob: 'allowed' },
  importTaxRates: {
    parts: () => ({ body: { csv: '' } }),
    inSameJob: '422 refused The first line has no column “State”',
  },
  quoteTax: { parts: () => ({ body: { state: 'IL', zip: '60601' } }), inSameJob: 'allowed' },
  getDefinedField: platformSample(({ definedFieldId }) => definedFieldId),
  listDefinedFields: { inSameJob: 'allowed' },
  postDefinedField: { parts: () => ({ body: { ...sampleField, name: 'House' } }), inSameJob: 'allowed' },
  putDefinedField: platformSample(({ definedFieldId }) => definedFieldId, sampleField),
  deleteDefinedField: platformSample(({ definedFieldId }) => definedFieldId),
  getPlatformFeature: platformSample(({ featureId }) => featureId),
  listPlatformFeatures: { inSameJob: 'allowed' },
  postPlatformFeature: { parts: () => ({ body: { ...sampleFeature, identifier: 'posters' } }), inSameJob: 'allowed' },
  putPlatformFeature: platformSample(({ featureId }) => featureId, sampleFeature),
  deletePlatformFeature: platformSample(({ featureId }) => featureId),
  listFeaturesOfStudio: platformSample(({ studioId }) => studioId),
  putFeatureOfStudio: {
    parts: ({ studioId, featureId }) => ({ params: { id: studioId, featureId }, body: { isOn: true } }),
    inSameJob: 'allowed',
  },
  getConfiguration: { inSameJob: 'allowed' },
  putSetting: {
    parts: () => ({ params: { key: 'open-invitations' }, body: { value: 60 } }),
    inSameJob: 'allowed',
  },
  putMaintenance: {
    parts: () => ({ body: { isOn: false, message: '', from: null, until: null, noticeHours: 24 } }),
    inSameJob: 'allowed',
  },
  sendTestMail: { parts: () => ({ body: {} }), inSameJob: 'allowed' },
  getMaintenanceNotice: { inSameJob: 'allowed' },
  listAuditEntries: { inSameJob: 'allowed' },
  listTaxCalls: { inSameJob: 'allowed' },
  repeatTaxCall: { parts: () => ({ params: { id: 1000 }, body: {} }), inSameJob: notFound },
  listMails: { inSameJob: 'allowed' },
  resendMail: platformSample(({ mailId }) => mailId, {}),
  listOrderErrorGroups: { inSameJob: 'allowed' },
  listOrderErrors: { inSameJob: 'allowed' },
  listGalleryWork: { inSameJob: 'allowed' },
  retryGalleryWork: {
    parts: ({ studioId, jobId }) => ({ body: { kind: 'packet', studioId, jobId } }),
    inSameJob: '422 refused There is nothing of it any more',
  },
  cancelGalleryWork: {
    parts: ({ studioId, jobId }) => ({ body: { kind: 'export', studioId, jobId } }),
    inSameJob: '422 refused There is nothing of it any more',
  },
  listPausedStudios: { inSameJob: 'allowed' },
  pauseStudio: platformSample(({ studioId }) => studioId, { reason: 'Too many files' }),
  resumeStudio: platformSample(({ studioId }) => studioId, {}),
  retryOrderErrors: { parts: () => ({ body: { which: { matching: {} } } }), inSameJob: 'allowed' },
  ignoreOrderErrors: { parts: () => ({ body: { which: { matching: {} }, reason: 'Known' } }), inSameJob: 'allowed' },
  reopenOrderErrors: { parts: () => ({ body: { which: { matching: {} } } }), inSameJob: 'allowed' },
  exportAuditEntries: { parts: () => ({ body: {} }), inSameJob: 'allowed' },
  getShippingOption: platformSample(({ shippingOptionId }) => shippingOptionId),
  listShippingOptions: { inSameJob: 'allowed' },
  postShippingOption: { parts: () => ({ body: { ...sampleShippingOption, code: 'overnight' } }), inSameJob: 'allowed' },
  putShippingOption: platformSample(({ shippingOptionId }) => shippingOptionId, sampleShippingOption),
  deleteShippingOption: platformSample(({ shippingOptionId }) => shippingOptionId),
  getPlatformUser: platformSample(({ colleagueId }) => colleagueId),
  listPlatformUsers: { inSameJob: 'allowed' },
  invitePlatformUser: {
    parts: ({ studioId }) => ({
      body: { name: 'Ira', email: 'ira@platform.test', role: 'owner', studioId },
    }),
    inSameJob: 'allowed',
  },
  putPlatformUser: platformSample(({ colleagueId }) => colleagueId, {
    ...{ name: 'Colleague', role: 'staff', isDisabled: false },
  }),
  removePlatformUser: platformSample(({ colleagueId }) => colleagueId),
  endUserSessions: platformSample(({ colleagueId }) => colleagueId, {}),
  resetPlatformSecondFactor: platformSample(({ colleagueId }) => colleagueId),
  resetSecondFactor: {
    parts: ({ colleagueId }) => ({ params: { id: colleagueId } }),
    inSameJob: '422 refused Colleague has no two-factor sign-in',
    inOtherStudio: notFound,
  },
  listPlatformInvitations: { inSameJob: 'allowed' },
  resendPlatformInvitation: {
    parts: ({ invitationId }) => ({ params: { id: invitationId }, body: {} }),
    inSameJob: '422 refused This was sent a moment ago. Please wait a minute',
  },
  revokePlatformInvitation: platformSample(({ invitationId }) => invitationId),
  getTaxRate: { parts: ({ taxRateId }) => ({ params: { id: taxRateId } }), inSameJob: 'allowed' },
  getPlatformHome: { inSameJob: 'allowed' },
  listTaxRates: { inSameJob: 'allowed' },
  postTaxRate: { parts: () => ({ body: { ...sampleTaxRate, postalPrefix: '606' } }), inSameJob: 'allowed' },
  putTaxRate: {
    parts: ({ taxRateId }) => ({ params: { id: taxRateId }, body: sampleTaxRate }),
    inSameJob: 'allowed',
  },
  deleteTaxRate: { parts: ({ taxRateId }) => ({ params: { id: taxRateId } }), inSameJob: 'allowed' },
  getPlatformWorkflow: { parts: ({ workflowId }) => ({ params: { id: workflowId } }), inSameJob: 'allowed' },
  listPlatformWorkflows: { inSameJob: 'allowed' },
  postPlatformWorkflow: { parts: () => ({ body: sampleWorkflow }), inSameJob: 'allowed' },
  putPlatformWorkflow: {
    parts: ({ workflowId }) => ({ params: { id: workflowId }, body: sampleWorkflow }),
    inSameJob: 'allowed',
  },
  deletePlatformWorkflow: { parts: ({ workflowId }) => ({ params: { id: workflowId } }), inSameJob: 'allowed' },
  getWatermark: platformSample(({ watermarkId }) => watermarkId),
  listWatermarks: { inSameJob: 'allowed' },
  postWatermark: { parts: () => ({ body: sampleWatermark }), inSameJob: 'allowed' },
  putWatermark: platformSample(({ watermarkId }) => watermarkId, sampleWatermark),
  deleteWatermark: platformSample(({ watermarkId }) => watermarkId),
  postWatermarkImage: { inSameJob: '415 unsupported-media We can’t read this kind of content' },
  getWatermarkSample: {
    parts: () => ({ query: { text: 'Proof', opacityPercent: '40', placement: 'tile' } }),
    inSameJob: 'allowed',
  },
  listPreviewRuns: { inSameJob: 'allowed' },
  cancelPreviewRun: { parts: ({ studioId }) => ({ params: { id: studioId } }), inSameJob: 'allowed' },
  startPreviewRun: { parts: ({ studioId }) => ({ params: { id: studioId } }), inSameJob: 'allowed' },
  getPlatformReport: { parts: () => ({ params: { report: 'refunds' } }), inSameJob: 'allowed' },
  exportPlatformReport: { parts: () => ({ params: { report: 'refunds' }, body: {} }), inSameJob: 'allowed' },
  getReport: {
    parts: ({ jobId }) => ({ params: { report: 'subjects' }, query: { jobId } }),
    inSameJob: 'allowed',
    inOtherStudio: noReports,
  },
  exportReport: {
    parts: ({ jobId }) => ({ params: { report: 'subjects' }, body: { jobId } }),
    inSameJob: 'allowed',
    inOtherStudio: noReports,
  },
  startReportFile: {
    parts: ({ jobId }) => ({ params: { report: 'subjects' }, body: { jobId } }),
    inSameJob: 'allowed',
    inOtherStudio: noReports,
  },
  listReportFiles: { inSameJob: 'allowed', inOtherStudio: noReports },
  getReportFileLink: savedReportSample('allowed', ({ reportFileId }) => ({ params: { id: reportFileId }, body: {} })),
  deleteReportFile: savedReportSample(notFound, ({ reportFileId }) => ({ params: { id: reportFileId + 1000 } })),
  startPlatformReportFile: { parts: () => ({ params: { report: 'refunds' }, body: {} }), inSameJob: 'allowed' },
  listPlatformReportFiles: { inSameJob: 'allowed' },
  getPlatformReportFileLink: {
    parts: ({ reportFileId }) => ({ params: { id: reportFileId }, body: {} }),
    inSameJob: notFound,
  },
  deletePlatformReportFile: { parts: ({ reportFileId }) => ({ params: { id: reportFileId } }), inSameJob: notFound },
  listSavedReports: { inSameJob: 'allowed', inOtherStudio: noReports },
  getSavedReport: savedReportSample('allowed', ({ savedReportId }) => ({ params: { id: savedReportId } })),
  postSavedReport: {
    parts: () => ({ body: newSavedReport() }),
    inSameJob: 'allowed',
    inOtherStudio: noReports,
  },
  putSavedReport: savedReportSample(stale, ({ savedReportId }) => ({
    params: { id: savedReportId },
    body: { ...newSavedReport(), version: 99 },
  })),
  deleteSavedReport: savedReportSample(notFound, ({ savedReportId }) => ({ params: { id: savedReportId + 1000 } })),
  getStudioDetails: { inSameJob: 'allowed' },
  patchStudio: { parts: () => ({ body: { version: 1 } }), inSameJob: 'allowed' },
  putLogo: { inSameJob: '415 unsupported-media We can’t read this kind of content' },
  deleteLogo: { inSameJob: 'allowed' },
  requestVerification: {
    parts: () => ({ body: { accountNumber: '4600900', password: 'theirs' } }),
    inSameJob: 'allowed',
  },
  listFeatures: { inSameJob: 'allowed' },
  getPaymentConnection: { inSameJob: 'allowed' },
  getReminderResults: { inSameJob: 'allowed' },
  getShareCounts: { inSameJob: 'allowed' },
  listHosts: { inSameJob: 'allowed' },
  checkHost: {
    parts: () => ({ body: { hostName: 'photos.theirs.test' } }),
    inSameJob: '422 refused This host name is not in your settings anymore',
  },
  connectPaymentAccount: {
    parts: () => ({ query: { code: 'ac_theirs' } }),
    inSameJob: '422 refused Test payments need no connection: no real money is taken here',
  },
  removePaymentAccount: { inSameJob: 'allowed' },
  getOrganization: organizationSample('allowed', ({ organizationId }) => ({ params: { id: organizationId } })),
  listOrganizations: { inSameJob: 'allowed' },
  postOrganization: { parts: () => ({ body: { name: '', type: 'school' } }), inSameJob: fixFields },
  putOrganization: organizationSample(stale, ({ organizationId }) => ({
    params: { id: organizationId },
    body: { name: 'Not theirs', type: 'sport', version: 99 },
  })),
  // Archived already: deleting it again changes nothing.
  deleteOrganization: organizationSample('allowed', ({ archivedId }) => ({ params: { id: archivedId } })),
  restoreOrganization: organizationSample('allowed', ({ organizationId }) => ({ params: { id: organizationId } })),
  checkOrganizationName: { parts: () => ({ query: { name: 'Lincoln' } }), inSameJob: 'allowed' },
  getCommissions: commissionSample('allowed', ({ organizationId }) => ({ params: { organizationId } })),
  postCommissionRate: commissionSample(fixFields, ({ organizationId }) => ({
    params: { organizationId },
    body: { jobId: null, kind: 'percent', basisPoints: 0, amountCents: null, startsOn: '2027-04-15' },
  })),
  deleteCommissionRate: commissionSample(notFound, ({ organizationId }) => ({ params: { organizationId, id: 1 } })),
  postCommissionPayment: commissionSample('422 refused Nothing is owed through this day', ({ organizationId }) => ({
    params: { organizationId },
    body: { throughDay: '2020-04-15', paidOn: '2020-04-15', amountCents: 100, note: '' },
  })),
  deleteCommissionPayment: commissionSample(notFound, ({ organizationId }) => ({
    params: { organizationId, id: 1 },
  })),
  exportCommissionStatement: commissionSample('allowed', ({ organizationId }) => ({
    params: { organizationId },
    body: { startDay: '2027-04-01', endDay: '2027-04-30', format: 'csv' },
  })),
  getContact: organizationSample('allowed', ({ archivedId }) => ({ params: { organizationId: archivedId } })),
  putContact: organizationSample(stale, ({ archivedId }) => ({
    params: { organizationId: archivedId },
    body: { ...contact, version: 99 },
  })),
  postContact: organizationSample(stale, ({ archivedId }) => ({
    params: { organizationId: archivedId },
    body: { ...contact, version: 99 },
  })),
  deleteContact: organizationSample('allowed', ({ organizationId }) => ({ params: { organizationId } })),
  postCheckoutContact: {
    parts: ({ archivedId }) => ({
      params: { organizationId: archivedId },
      body: { firstName: '', lastName: '', email: '', phone: '' },
    }),
    inSameJob: notFound,
  },
  listProducts: { inSameJob: 'allowed' },
  getPackageDefaults: { inSameJob: 'allowed' },
  listPackageSets: { inSameJob: 'allowed' },
  getPackageSet: catalogueSample('allowed', ({ setId }) => ({ params: { id: setId } })),
  postPackageSet: { parts: () => ({ body: { name: 'Mine', description: '' } }), inSameJob: 'allowed' },
  putPackageSet: catalogueSample(stale, ({ setId }) => ({
    params: { id: setId },
    body: { name: 'Mine', description: '', version: 99 },
  })),
  // Archived already and still offered by a job: deleting it again changes nothing.
  deletePackageSet: catalogueSample('allowed', ({ oldSetId }) => ({ params: { id: oldSetId } })),
  duplicatePackageSet: catalogueSample('allowed', ({ setId }) => ({ params: { id: setId }, body: {} })),
  listSetPackages: catalogueSample('allowed', ({ setId }) => ({ params: { packageSetId: setId } })),
  getPackage: catalogueSample('allowed', ({ setId, packageId }) => ({
    params: { packageSetId: setId, id: packageId },
  })),
  postPackage: catalogueSample('allowed', (otherTenant) => ({
    params: { packageSetId: otherTenant.setId },
    body: newPackage(otherTenant),
  })),
  putPackage: catalogueSample(stale, (otherTenant) => ({
    params: { packageSetId: otherTenant.setId, id: otherTenant.packageId },
    body: { ...newPackage(otherTenant), ...saleFields },
  })),
  deletePackage: catalogueSample(
    '422 refused “Package for 5” goes with this package. Change that one first',
    ({ setId, packageId }) => ({ params: { packageSetId: setId, id: packageId } }),
  ),
  duplicatePackage: catalogueSample('allowed', ({ setId, packageId }) => ({
    params: { packageSetId: setId, id: packageId },
    body: {},
  })),
  putPackagePositions: catalogueSample(stale, ({ setId, packageId }) => ({
    params: { packageSetId: setId },
    body: { packageIds: [packageId], version: 99 },
  })),
  getPackageOfStudio: catalogueSample('allowed', ({ packageId }) => ({ params: { id: packageId } })),
  listPackagesOfStudio: { inSameJob: 'allowed' },
  postPackageOfStudio: catalogueSample('allowed', (otherTenant) => ({
    body: { ...newPackage(otherTenant), packageSetId: otherTenant.setId },
  })),
  putPackageOfStudio: catalogueSample(stale, (otherTenant) => ({
    params: { id: otherTenant.packageId },
    body: { ...newPackage(otherTenant), ...saleFields },
  })),
  deletePackageOfStudio: catalogueSample(
    '422 refused “Package for 5” goes with this package. Change that one first',
    ({ packageId }) => ({ params: { id: packageId } }),
  ),
  getJobPackageSet: { inSameJob: 'allowed' },
  putJobPackageSet: { parts: ({ setId }) => ({ body: { packageSetId: setId, version: 99 } }), inSameJob: stale },
  listJobPackages: { inSameJob: 'allowed' },
  listPromotions: { inSameJob: 'allowed' },
  getPromotion: catalogueSample('allowed', endedPromotionParts),
  postPromotion: { parts: () => ({ body: newPromotion() }), inSameJob: 'allowed' },
  putPromotion: catalogueSample(stale, (otherTenant) => ({
    ...endedPromotionParts(otherTenant),
    body: { ...newPromotion(), version: 99 },
  })),
  deletePromotion: catalogueSample('allowed', endedPromotionParts),
  duplicatePromotion: catalogueSample('allowed', (otherTenant) => ({ ...endedPromotionParts(otherTenant), body: {} })),
  endPromotion: catalogueSample('allowed', (otherTenant) => ({ ...endedPromotionParts(otherTenant), body: {} })),
  listPromotionUses: catalogueSample('allowed', endedPromotionParts),
  getPromotionChart: catalogueSample('allowed', endedPromotionParts),
  previewPromotion: catalogueSample('allowed', (otherTenant) => ({
    ...endedPromotionParts(otherTenant),
    body: { amountCents: 1000, packages: [] },
  })),
  listPromotionCodes: catalogueSample('allowed', endedPromotionParts),
  postPromotionCodes: catalogueSample('422 refused This promotion has one code for all customers', (otherTenant) => ({
    ...endedPromotionParts(otherTenant),
    body: { count: 1 },
  })),
  listJobPromotions: { inSameJob: 'allowed' },
  getJobPromotion: { parts: jobPromotionParts, inSameJob: notFound },
  postJobPromotion: { parts: () => ({ body: newPromotion() }), inSameJob: 'allowed' },
  putJobPromotion: {
    parts: (otherTenant) => ({ ...jobPromotionParts(otherTenant), body: { ...newPromotion(), version: 1 } }),
    inSameJob: notFound,
  },
  deleteJobPromotion: { parts: jobPromotionParts, inSameJob: notFound },
  listStaffGreenScreens: { inSameJob: 'allowed', inOtherStudio: noGreenScreens },
  postGreenScreen: {
    inSameJob: '415 unsupported-media We can’t read this kind of content',
    inOtherStudio: noGreenScreens,
  },
  putGreenScreen: {
    parts: ({ greenScreenId }) => ({
      params: { id: greenScreenId },
      body: { name: 'Mine', isEnabled: false, version: 99 },
    }),
    inSameJob: stale,
    inOtherJob: notFound,
    inOtherStudio: noGreenScreens,
  },
  deleteGreenScreen: {
    parts: ({ greenScreenId }) => ({ params: { id: greenScreenId } }),
    inSameJob: 'allowed',
    inOtherJob: notFound,
    inOtherStudio: noGreenScreens,
  },
  putGreenScreenOrder: {
    parts: ({ greenScreenId }) => ({ body: { ids: [greenScreenId] } }),
    inSameJob: 'allowed',
    inOtherJob: '422 refused Not all of these backgrounds are in this event',
    inOtherStudio: noGreenScreens,
  },
  getYearBook: { inSameJob: 'allowed', inOtherStudio: noYearBook },
  listYearBookSubjects: { inSameJob: 'allowed', inOtherStudio: noYearBook },
  getNextYearBookSubject: {
    parts: ({ adaId }) => ({ query: { after: adaId } }),
    inSameJob: 'allowed',
    inOtherStudio: noYearBook,
  },
  getYearBookSubject: yearBookSample(),
  chooseYearBookImage: yearBookSample({ imageId: null }),
  // No image is missing in either job.
  sendYearBookReminders: {
    parts: () => ({ body: {} }),
    inSameJob: '422 refused There is no one to remind now',
    inOtherStudio: noYearBook,
  },
  getImageExportSetup: { inSameJob: 'allowed' },
  // The names of the previewed subjects are those of the caller's job.
  previewImageExport: { parts: () => ({ body: exportSettings }), inSameJob: 'allowed' },
  startImageExport: {
    parts: ({ exportId }) => ({ body: { ...exportSettings, retakesOf: exportId } }),
    inSameJob: 'allowed',
    inOtherJob: fixFields,
    inOtherStudio: fixFields,
  },
  listImageExports: { inSameJob: 'allowed' },
  retryImageExport: { parts: ({ exportId }) => ({ params: { exportId }, body: {} }), inSameJob: notFound },
  deleteImageExport: { parts: ({ exportId }) => ({ params: { exportId } }), inSameJob: notFound },
  getImageExportFile: { parts: ({ exportId }) => ({ params: { exportId }, body: {} }), inSameJob: notFound },
}

const checkInFields = { key: '00000000-0000-4000-8000-0000000000aa', at: '2027-04-15T09:00:00.000Z', station: '1' }

const replaceLastCharacter = (linkId: string): string => `${linkId.slice(0, -1)}${linkId.endsWith('A') ? 'Q' : 'A'}`

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
