/** The records that the platform's administrators define for all studios. */
export const platformNouns = [
  'workflow',
  'tax-rate',
  'shipping-option',
  'order-service',
  'product',
  'tag',
  'defined-field',
  'feature',
  'watermark',
] as const
export type PlatformNoun = (typeof platformNouns)[number]

/** What the audit trail records, by what was changed. */
const auditActions = [
  'payment.begun',
  'payment.unknown',
  'payment.abandoned',
  'payment.requires-action',
  'payment.declined',
  'payment.succeeded',
  'order.placed',
  'order.moved',
  'order.taken-out',
  'order.put-in',
  'order.content-edited',
  'order.reduced',
  'order.grown',
  'order.entered',
  'batch.made',
  'batch.changed',
  'batch.closed',
  'batch.reopened',
  'batch.submitted',
  'packet.taken-back',
  'subject.hidden',
  'subject.shown',
  'subject.undone',
  'subject.erased',
  'subject.walked-up',
  'import.begun',
  'import.done',
  'import.undoing',
  'import.undone',
  'image.deleted',
  'image.converted',
  'image.replaced',
  'image.moved',
  'images.published',
  'yearbook.reminded',
  'image-export.begun',
  'image-export.retried',
  'image-export.opened',
  'image-export.removed',
  'refund.owed',
  'refund.done',
  'refund.failed',
  'check-in.undone',
  'job.made',
  'job.duplicated',
  'job.published',
  'job.unpublished',
  'job.archived',
  'job.restored',
  'job.deleted',
  'job.contact-changed',
  'job.package-set',
  'studio.begun',
  'studio.host-proved',
  'studio.host-lost',
  'studio.changed',
  'studio.logo-changed',
  'studio.verification-asked',
  'studio.transferred',
  'studio.deletion-scheduled',
  'studio.deletion-cancelled',
  'studio.deleted',
  'studio-export.begun',
  'studio-export.opened',
  'studio.refused',
  'studio.verified',
  'studio.enabled',
  'studio.disabled',
  'studio.feature-switched',
  'studio.payments-connected',
  'studio.payments-removed',
  'administrator.link-created',
  'user.invited',
  'user.uninvited',
  'user.joined',
  'user.changed',
  'user.removed',
  'user.sessions-ended',
  'user.password-reset',
  'user.password-changed',
  'organization.made',
  'organization.changed',
  'organization.removed',
  'organization.archived',
  'organization.restored',
  'commission-rate.made',
  'commission-rate.removed',
  'commission.paid',
  'commission.unpaid',
  'package-set.made',
  'package-set.changed',
  'package-set.archived',
  'package-set.restored',
  'package-set.removed',
  'package.made',
  'package.changed',
  'package.archived',
  'package.restored',
  'package.removed',
  'promotion.made',
  'promotion.changed',
  'promotion.ended',
  'promotion.removed',
  'promotion.codes-made',
  'green-screen.made',
  'green-screen.changed',
  'green-screen.removed',
  'report.exported',
  'report-file.opened',
  'report-file.removed',
  'payment-difference.closed',
  'audit-log.exported',
  'mail.resent',
] as const

const platformActions = ['made', 'changed', 'archived', 'restored', 'removed', 'imported'] as const

export type AuditAction = (typeof auditActions)[number] | `${PlatformNoun}.${(typeof platformActions)[number]}`

/** All actions of the audit trail in alphabetical order. */
export const allAuditActions: readonly string[] = [
  ...auditActions,
  ...platformNouns.flatMap((noun) => platformActions.map((action) => `${noun}.${action}`)),
].toSorted()

const verbLabels: Readonly<Record<string, string>> = { made: 'created', begun: 'started' }

/** A name with dashes as a label: “Order changed” for `order-changed`. */
export const readableName = (name: string): string => {
  const text = name.replaceAll('-', ' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** The name of an action for a reader: “Tax rate created” for `tax-rate.made`. */
export const auditActionName = (action: string): string => {
  const [noun = '', verb = ''] = action.split('.')
  return readableName(`${noun} ${verbLabels[verb] ?? verb}`)
}
