import { useLiveQuery } from 'dexie-react-hooks'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { lineName } from '#client/customer/shared/cart/line-texts.ts'
import { useJobContext } from '#client/customer/shared/job/job-context.tsx'
import { getSubject } from '#contract/customer/discovery-calls.ts'
import type { LineView } from '#local/store/cart-view.ts'
import { typedSubjectByNumber } from '#local/store/typed-subjects.ts'
import { useQuery } from '#platform/api/use-query.ts'
import { database } from '#platform/database.ts'
import { type CustomerRoute, type SubjectRoute, urls } from '#platform/urls.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Checkbox } from '#ui/form/checkbox.tsx'
import styles from './copy-to-subject-dialog.module.css'

type CopyToSubjectDialogProps = {
  open: boolean
  onClose: () => void
  route: CustomerRoute
  lineView: LineView
  /** Add-ons of the same subject, which can be copied too. */
  addOns: readonly LineView[]
  /** The ids of the other subjects in URLs; negative for subjects that the customer typed in. */
  otherSubjectIds: readonly number[]
}

/** The URL that copies cart lines to another subject. Copies only the first of several lines with the same package. */
export const copyPackagesUrl = (target: SubjectRoute, lines: readonly LineView[]): string => {
  const numberByPackageId = new Map([...lines].reverse().map(({ line, number }) => [line.packageId, number]))
  const uniqueLines = lines.filter(({ line, number }) => numberByPackageId.get(line.packageId) === number)
  return urls.packageDetails({
    ...target,
    packageIds: uniqueLines.map(({ line }) => line.packageId),
    like: uniqueLines.map(({ number }) => number),
  })
}

/**
 * Lets the customer select the target subject and the add-ons. The customer reviews the copy before it is added to the
 * cart.
 */
export const CopyToSubjectDialog = ({
  open,
  onClose,
  route,
  lineView,
  addOns,
  otherSubjectIds,
}: CopyToSubjectDialogProps) => {
  const [excludedNumbers, setExcludedNumbers] = useState<ReadonlySet<number>>(new Set())
  const { orderMethod } = useJobContext()
  const [missingCount, setMissingCount] = useState(0)
  const { firstName } = lineView.line.snapshot.subject
  const ownContent = orderMethod === 'prepay' ? 'names' : 'photos and names'
  const includedAddOns = addOns.filter(({ number }) => !excludedNumbers.has(number))
  const setIncluded = (number: number, isIncluded: boolean) =>
    setExcludedNumbers(
      new Set(
        isIncluded ? [...excludedNumbers].filter((excluded) => excluded !== number) : [...excludedNumbers, number],
      ),
    )
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="small"
      title={`Copy ${lineName(lineView.line)} for …`}
      description={`Like ${firstName}’s, with their own ${ownContent}. You can check it before you add it.`}
    >
      <div className={styles.body}>
        {addOns.length > 0 && (
          <fieldset className={styles.addOns}>
            <legend>Include</legend>
            {addOns.map(({ number, line }) => (
              <Checkbox
                key={number}
                label={lineName(line)}
                checked={!excludedNumbers.has(number)}
                onValue={(isIncluded) => setIncluded(number, isIncluded)}
              />
            ))}
          </fieldset>
        )}
        <ul className={styles.subjects}>
          {otherSubjectIds.map((subjectId) => {
            const SubjectItem = subjectId < 0 ? TypedSubjectItem : ListedSubjectItem
            const target = { ...route, subjectId }
            return (
              <SubjectItem
                key={subjectId}
                target={target}
                href={copyPackagesUrl(target, [lineView, ...includedAddOns])}
                setMissingCount={setMissingCount}
              />
            )
          })}
        </ul>
        {missingCount === otherSubjectIds.length && <p>No other children to show right now.</p>}
      </div>
    </Dialog>
  )
}

type SetMissingCount = (update: (before: number) => number) => void
type SubjectItemProps = { target: SubjectRoute; href: string; setMissingCount: SetMissingCount }

/** Counts a subject that cannot be shown. The dialog shows a message if none can be shown. */
const MissingSubject = ({ setMissingCount }: { setMissingCount: SetMissingCount }) => {
  useEffect(() => {
    setMissingCount((before) => before + 1)
    return () => setMissingCount((before) => before - 1)
  }, [setMissingCount])
  return null
}

const ListedSubjectItem = ({ target: { jobId, subjectId }, href, setMissingCount }: SubjectItemProps) => {
  const { data, problem } = useQuery(getSubject, { params: { jobId, subjectId } })
  // The studio hid this subject, or it is neither cached nor reachable: nothing can be copied to it.
  if (!data) return problem ? <MissingSubject setMissingCount={setMissingCount} /> : <Skeleton shape="text" lines={1} />
  return <CopyLink href={href} {...data} />
}

const TypedSubjectItem = ({ target: { jobId, subjectId }, href, setMissingCount }: SubjectItemProps) => {
  const typedSubject = useLiveQuery(
    async () => (await typedSubjectByNumber(database, jobId, subjectId)) ?? null,
    [jobId, subjectId],
  )
  if (typedSubject === null) return <MissingSubject setMissingCount={setMissingCount} />
  return typedSubject && <CopyLink href={href} {...typedSubject} imageThumbnailUrl={null} />
}

type CopyLinkProps = { href: string; firstName: string; lastName: string; imageThumbnailUrl: string | null }

const CopyLink = ({ href, firstName, lastName, imageThumbnailUrl }: CopyLinkProps) => (
  <li>
    <Link href={href} className={styles.subject}>
      {imageThumbnailUrl && <img src={imageThumbnailUrl} alt="" className={styles.thumbnail} />}
      {firstName} {lastName}
    </Link>
  </li>
)
