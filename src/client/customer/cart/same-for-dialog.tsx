import { useState } from 'react'
import { Link } from 'wouter'
import { getSubject } from '../../../contract/customer-find.ts'
import type { LineView } from '../../../local/cart-view.ts'
import { useAsk } from '../../device/use-ask.ts'
import type { CustomerRoute } from '../../shell/urls.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { lineName } from '../line-texts.ts'
import { copyAddress } from './copy-address.ts'
import styles from './same-for.module.css'

type SameForDialogProps = {
  open: boolean
  onClose: () => void
  place: CustomerRoute
  view: LineView
  /** Add-ons of the same person, which may come along. */
  addOns: readonly LineView[]
  others: readonly number[]
}

/** For whom, and with what: the copy is opened for a look before it goes into the cart. */
export const SameForDialog = ({ open, onClose, place, view, addOns, others }: SameForDialogProps) => {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const { firstName } = view.line.snapshot.subject
  const along = addOns.filter((one) => !left.has(one.number))
  const turn = (number: number, taken: boolean) =>
    setLeft(new Set(taken ? [...left].filter((one) => one !== number) : [...left, number]))
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title={`${lineName(view.line)}, the same for …`}
      description={`As for ${firstName}, with their own photos and names. You see it before it goes into the cart.`}
    >
      <div className={styles.body}>
        {addOns.length > 0 && (
          <fieldset className={styles.along}>
            <legend>With it</legend>
            {addOns.map((one) => (
              <Checkbox
                key={one.number}
                label={lineName(one.line)}
                checked={!left.has(one.number)}
                onValue={(taken) => turn(one.number, taken)}
              />
            ))}
          </fieldset>
        )}
        <ul className={styles.people}>
          {others.map((subjectId) => (
            <Sibling
              key={subjectId}
              jobId={place.jobId}
              subjectId={subjectId}
              address={copyAddress({ ...place, subjectId }, [view, ...along])}
            />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

const Sibling = ({ jobId, subjectId, address }: { jobId: number; subjectId: number; address: string }) => {
  const { data, problem } = useAsk(getSubject, { params: { jobId, subjectId } })
  // Hidden by the studio, or not on the device and out of reach: nothing can be made for this one.
  if (!data) return problem ? null : <Skeleton shape="text" lines={1} />
  return (
    <li>
      <Link href={address} className={styles.person}>
        {data.imageThumbnailUrl && <img src={data.imageThumbnailUrl} alt="" className={styles.face} />}
        {data.firstName} {data.lastName}
      </Link>
    </li>
  )
}
