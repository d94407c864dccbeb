import Copy from 'lucide-react/icons/copy'
import Share2 from 'lucide-react/icons/share-2'
import { useEffect, useState } from 'react'
import { ignoring } from '#domain/shared/ignoring.ts'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/toast/toast.ts'
import styles from './hand-over.module.css'
import type { HandOver } from './use-hand-over.ts'

const minuteMs = 60_000

/** Minutes left, rounded up; 0 once expired. */
export const minutesLeft = (expiresAt: string, now: number): number =>
  Math.max(0, Math.ceil((Date.parse(expiresAt) - now) / minuteMs))

const useMinutesLeft = (expiresAt: string): number => {
  const [minutes, setMinutes] = useState(() => minutesLeft(expiresAt, Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setMinutes(minutesLeft(expiresAt, Date.now())), 1000)
    return () => clearInterval(timer)
  }, [expiresAt])
  return minutes
}

type HandOverCodeProps = { handOver: HandOver; renew: () => void }

/** The QR code, its remaining time, and its link for sharing. */
export const HandOverCode = ({ handOver: { address, qr, expiresAt }, renew }: HandOverCodeProps) => {
  const minutes = useMinutesLeft(expiresAt)
  const canShare = typeof navigator.share === 'function'
  const share = () =>
    ignoring('the customer dismissed the share sheet', async () => {
      if (canShare) return await navigator.share({ url: address })
      await navigator.clipboard.writeText(address)
      toast('Link copied')
    })
  return (
    <div className={styles.code}>
      <p>Scan this with your other device’s camera. Your cart opens there and stays here.</p>
      <img
        className={styles.qrCode}
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt="The code that opens your cart on another device"
      />
      <p>
        {minutes > 0
          ? `Works for ${minutes === 1 ? 'one more minute' : `${minutes} more minutes`}, on one device`
          : 'This code has expired'}
      </p>
      <div className={styles.actions}>
        <Button variant="secondary" icon={canShare ? Share2 : Copy} onClick={() => void share()}>
          {canShare ? 'Share the link' : 'Copy the link'}
        </Button>
        <Button variant="quiet" onClick={renew}>
          Make a new code
        </Button>
      </div>
      <p className={styles.soft}>
        Only share with your own devices: it shows your cart and photos. Choices not in your cart yet stay here.
      </p>
    </div>
  )
}
