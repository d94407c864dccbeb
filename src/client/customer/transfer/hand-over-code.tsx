import Copy from 'lucide-react/icons/copy'
import Share2 from 'lucide-react/icons/share-2'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './hand-over.module.css'
import type { HandOver } from './use-hand-over.ts'

const minuteMs = 60_000

/** Minutes left, rounded up; 0 once expired. */
export const minutesLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / minuteMs))

const useMinutesLeft = (expiresAt: string): number => {
  const [left, setLeft] = useState(() => minutesLeft(expiresAt, Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setLeft(minutesLeft(expiresAt, Date.now())), 1000)
    return () => clearInterval(timer)
  }, [expiresAt])
  return left
}

type HandOverCodeProps = { handOver: HandOver; renew: () => void }

/** The QR code, its remaining time, and its link for sharing. */
export const HandOverCode = ({ handOver: { address, qr, expiresAt }, renew }: HandOverCodeProps) => {
  const left = useMinutesLeft(expiresAt)
  const canShare = typeof navigator.share === 'function'
  const share = async () => {
    try {
      if (canShare) return await navigator.share({ url: address })
      await navigator.clipboard.writeText(address)
      toast('Link copied')
    } catch {
      // The customer dismissed the share sheet.
    }
  }
  return (
    <div className={styles.code}>
      <p>Scan this with the camera of your other device. Everything in your cart opens there, and stays here too.</p>
      <img
        className={styles.picture}
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt="The code that opens your cart on another device"
      />
      <p>
        {left > 0
          ? `Good for ${left === 1 ? 'one more minute' : `${left} more minutes`}, for one device`
          : 'This code has run out'}
      </p>
      <div className={styles.ways}>
        <Button variant="secondary" icon={canShare ? Share2 : Copy} onClick={() => void share()}>
          {canShare ? 'Share the link' : 'Copy the link'}
        </Button>
        <Button variant="quiet" onClick={renew}>
          Make a new code
        </Button>
      </div>
      <p className={styles.soft}>
        For your own devices: whoever opens it sees this cart with its pictures. Choices you have not added to the cart
        yet stay here.
      </p>
    </div>
  )
}
