import Check from 'lucide-react/icons/check'
import Download from 'lucide-react/icons/download'
import type { Order } from '#contract/customer/order-calls.ts'
import { urls } from '#platform/urls.ts'
import { Button, ButtonLink } from '#ui/button/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './orders.module.css'

const dayMs = 86_400_000

const statusOf = (order: Order): string => {
  if (order.state === 'shipped') return order.delivery === 'home' ? 'Your order is on its way' : 'Your order is ready'
  return order.state === 'inProduction' ? 'Your order is being made' : 'We have your order'
}

/** What the order says first: thanks on its first day, then how far it is. */
export const orderHeadline = (order: Order, now: number): string => {
  if (order.state === 'cancelled') return 'This order was cancelled'
  if (order.delivery === 'download' && order.downloads.length > 0) return 'Your photos are ready'
  return now - Date.parse(order.placedAt) < dayMs ? `Thank you, ${order.customer.firstName}!` : statusOf(order)
}

/** The first images of the order, each once. An order that was found by its number shows none. */
const imagesOf = ({ lines }: Order): string[] =>
  [...new Set(lines.flatMap(({ imageThumbnailUrl }) => imageThumbnailUrl ?? []))].slice(0, 3)

/** The head of an order: its photos as prints, thanks or its status, the number, and bought files to download. */
export const OrderHeader = ({ order }: { order: Order }) => {
  const { orderNumber, jobName, studioName, state } = order
  const images = imagesOf(order)
  return (
    <header className={styles.head}>
      {images.length > 0 && (
        <div className={styles.keepsake} aria-hidden="true">
          {images.toReversed().map((url) => (
            <img key={url} src={url} alt="" />
          ))}
          {state !== 'cancelled' && (
            <span className={styles.mark}>
              <Icon of={Check} />
            </span>
          )}
        </div>
      )}
      <div className={styles.title}>
        <h1>{orderHeadline(order, Date.now())}</h1>
        <p className={styles.numberRow}>
          Order <strong className={styles.number}>{orderNumber}</strong>
          <CopyNumber orderNumber={orderNumber} />
        </p>
        <p className={styles.soft}>
          {jobName} · {studioName}
        </p>
      </div>
      <Files order={order} />
    </header>
  )
}

const CopyNumber = ({ orderNumber }: { orderNumber: string }) => {
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(orderNumber).then(
      () => true,
      () => false,
    )
    toast(isCopied ? 'Order number copied' : 'The browser doesn’t allow copying. Select the number instead')
  }
  // Without HTTPS there is no clipboard.
  if (!globalThis.navigator?.clipboard) return null
  return (
    <Button
      size="sm"
      variant="quiet"
      className={styles.copy}
      aria-label="Copy the order number"
      onClick={() => void copy()}
    >
      Copy
    </Button>
  )
}

const fileLabel = ({ kind, subjectName }: Order['downloads'][number]): string => {
  if (kind === 'all') return subjectName ? `Download all photos of ${subjectName}` : 'Download all photos'
  return subjectName ? `Download ${subjectName}’s photo` : 'Download the photo'
}

const Files = ({ order: { downloads, studioSlug } }: { order: Order }) =>
  downloads.length > 0 && (
    <ul className={styles.files} aria-label="Your files">
      {downloads.map((download) => (
        <li key={download.linkId}>
          <ButtonLink href={urls.download({ studioSlug, linkId: download.linkId })} icon={Download}>
            {fileLabel(download)}
          </ButtonLink>
        </li>
      ))}
    </ul>
  )
