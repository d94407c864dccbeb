import { useRef, useState } from 'react'
import type { Share } from '#contract/customer/share-calls.ts'
import { formatDate } from '#domain/shared/dates.ts'
import type { QueryResult } from '#platform/api/use-query.ts'
import { Button } from '#ui/button/button.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'

type OwnSharesProps = {
  query: QueryResult<unknown>
  /** Undefined until the server has answered. */
  shares: readonly Share[] | undefined
  isConnected: boolean
  onStop: (shareId: number) => Promise<void>
}

const viewsText = (count: number): string => {
  if (count === 0) return 'Not opened yet'
  return count === 1 ? 'Opened once' : `Opened ${count} times`
}

type OwnShareProps = Pick<OwnSharesProps, 'isConnected' | 'onStop'> & { share: Share }

const OwnShare = ({ share, isConnected, onStop }: OwnShareProps) => {
  const { id, imageCount, viewCount, createdOn, expiresOn } = share
  const [isStopping, setIsStopping] = useState(false)
  const stop = async () => {
    if (!isConnected) return
    setIsStopping(true)
    await onStop(id)
    setIsStopping(false)
  }
  const images = imageCount === 1 ? '1 photo' : `${imageCount} photos`
  return (
    <li className="sharing-share">
      <span>
        {images}, until {formatDate(expiresOn)}
        <span className="sharing-soft">
          Made on {formatDate(createdOn)}. {viewsText(viewCount)}.
        </span>
      </span>
      <Button
        variant="secondary"
        size="sm"
        loading={isStopping}
        aria-disabled={!isConnected || undefined}
        aria-label={`Stop sharing ${images} until ${formatDate(expiresOn)}`}
        onClick={() => void stop()}
      >
        Stop sharing
      </Button>
    </li>
  )
}

/** The links that this customer made and that still work. */
export const OwnShares = ({ query, shares, isConnected, onStop }: OwnSharesProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const stop = async (shareId: number) => {
    await onStop(shareId)
    // The button that had the focus is gone if the link was stopped.
    if (document.activeElement === document.body) heading.current?.focus()
  }
  return (
    <section className="sharing-shares">
      <h3 ref={heading} tabIndex={-1}>
        Your links
      </h3>
      {!shares && query.loading && <Skeleton lines={2} />}
      {!shares && !query.loading && (
        <>
          <p role="status">Your links did not load. This needs a connection.</p>
          <Button variant="secondary" size="sm" onClick={query.refetch}>
            Try again
          </Button>
        </>
      )}
      {shares?.length === 0 && <p className="sharing-soft">Links you make appear here, and you can stop each one.</p>}
      {shares && shares.length > 0 && (
        <ul>
          {shares.map((share) => (
            <OwnShare key={share.id} {...{ share, isConnected }} onStop={stop} />
          ))}
        </ul>
      )}
    </section>
  )
}
