import * as auth from './auth.ts'
import type { AnyCall } from './call.ts'
import * as checkout from './checkout.ts'
import * as cart from './customer-cart.ts'
import * as find from './customer-find.ts'
import * as lists from './customer-lists.ts'
import * as downloads from './downloads.ts'
import * as handOver from './hand-over.ts'
import * as health from './health.ts'
import * as offers from './job-offers.ts'
import * as changes from './order-changes.ts'
import * as poses from './order-poses.ts'
import * as promo from './promo.ts'
import * as batches from './studio/batches.ts'
import * as entry from './studio/entry.ts'
import * as production from './studio/production.ts'
import * as shoots from './studio/shoots.ts'
import * as staffOrders from './studio/staff-orders.ts'
import * as addresses from './validate-address.ts'

/** The front door's list of bells: every call there is. The server mounts exactly these; tests walk them. */
export const everyCall = {
  getHealth: health.getHealth,
  logIn: auth.logIn,
  refresh: auth.refresh,
  logOut: auth.logOut,
  openSession: find.openSession,
  closeSession: find.closeSession,
  getStudio: find.getStudio,
  getStudioFeatures: lists.featuresInPages,
  redeemCode: find.redeemCode,
  getAvailability: find.getAvailability,
  tellMe: find.tellMe,
  lookUpJob: find.lookUpJob,
  getJob: find.getJob,
  getJobPreferences: find.getJobPreferences,
  listPackages: lists.packagesInPages,
  searchSubjects: lists.peopleInPages,
  browseSubjects: find.browseSubjects,
  confirmSubject: find.confirmSubject,
  getSubject: find.getSubject,
  listImages: lists.imagesInPages,
  openCart: cart.openCart,
  listCarts: cart.listCarts,
  syncCart: cart.syncCart,
  getCart: cart.getCart,
  getCartDetails: cart.getCartDetails,
  deleteCart: cart.deleteCart,
  postCartPackage: cart.postCartPackage,
  patchCartPackage: cart.patchCartPackage,
  deleteCartPackage: cart.deleteCartPackage,
  patchTextNode: cart.patchTextNode,
  patchImageNode: cart.patchImageNode,
  makeHandOver: handOver.makeHandOver,
  getHandOver: handOver.getHandOver,
  takeHandOver: handOver.takeHandOver,
  getJobServices: offers.getJobServices,
  listGreenScreens: lists.greenScreensInPages,
  listJobFields: lists.jobFieldsInPages,
  postOrderService: offers.postOrderService,
  postPersonalization: offers.postPersonalization,
  postPresonalization: offers.postPresonalization,
  deleteOrderService: offers.deleteOrderService,
  postCheckout: checkout.postCheckout,
  getCheckout: checkout.getCheckout,
  postPromo: promo.postPromo,
  deletePromo: promo.deletePromo,
  validateAddress: addresses.validateAddress,
  getTotals: checkout.getTotals,
  submitCheckout: checkout.submitCheckout,
  getOrder: checkout.getOrder,
  searchOrder: checkout.searchOrder,
  cancelOrder: changes.cancelOrder,
  priceFewer: changes.priceFewer,
  orderFewer: changes.orderFewer,
  priceMore: changes.priceMore,
  orderMore: changes.orderMore,
  getDownload: downloads.getDownload,
  renewDownload: downloads.renewDownload,
  submitOrders: production.submitOrders,
  getPacket: production.getPacket,
  makePacketAgain: production.makePacketAgain,
  listBatches: batches.listBatches,
  getBatch: batches.getBatch,
  patchBatch: batches.patchBatch,
  closeBatch: batches.closeBatch,
  reopenBatch: batches.reopenBatch,
  submitBatch: batches.submitBatch,
  takeOutOfBatch: batches.takeOutOfBatch,
  putInBatch: batches.putInBatch,
  moveOrder: staffOrders.moveOrder,
  cancelByStaff: staffOrders.cancelByStaff,
  refundOrder: staffOrders.refundOrder,
  resendReceipt: staffOrders.resendReceipt,
  getOrderPoses: poses.getOrderPoses,
  patchOrderPoses: poses.patchOrderPoses,
  patchPrintedWords: poses.patchPrintedWords,
  getShoot: shoots.getShoot,
  listShootPeople: shoots.listShootPeople,
  findByCard: shoots.findByCard,
  listCheckIns: shoots.listCheckIns,
  markPerson: shoots.markPerson,
  patchMark: shoots.patchMark,
  undoMark: shoots.undoMark,
  walkUp: shoots.walkUp,
  getEntryForm: entry.getEntryForm,
  listEntrySubjects: entry.listEntrySubjects,
  priceEntry: entry.priceEntry,
  enterOrder: entry.enterOrder,
  listEntered: entry.listEntered,
  getEntered: entry.getEntered,
} as const satisfies Record<string, AnyCall>
