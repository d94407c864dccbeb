import Copy from 'lucide-react/icons/copy'
import { lazy, Suspense, useState } from 'react'
import { lineName } from '#client/customer/shared/cart/line-texts.ts'
import { isStandard } from '#domain/cart/add-ons.ts'
import type { LineView } from '#local/store/cart-view.ts'
import type { CustomerRoute } from '#platform/urls.ts'
import { Button } from '#ui/button/button.tsx'

const CopyToSubjectDialog = lazy(async () => ({
  default: (await import('./copy-to-subject-dialog.tsx')).CopyToSubjectDialog,
}))

type CopyToSubjectProps = {
  route: CustomerRoute
  view: LineView
  /** The subject's add-ons: they are copied together with a standard package. */
  addOns: readonly LineView[]
  /** The subject's id in URLs; null if none is known. */
  subjectNumber: number | null
  /** Ids of every subject this device knows in the job. */
  known: readonly number[]
}

/** The link that copies a package to a sibling; renders nothing if there is no other subject. */
export const CopyToSubject = ({ route, view, addOns, subjectNumber, known }: CopyToSubjectProps) => {
  const [opened, setOpened] = useState<'never' | 'open' | 'closed'>('never')
  const { line } = view
  const others = known.filter((number) => number !== subjectNumber)
  if (others.length === 0) return null
  return (
    <>
      <Button
        variant="quiet"
        size="sm"
        icon={Copy}
        aria-label={`Same for …: ${lineName(line)}`}
        onClick={() => setOpened('open')}
      >
        Same for …
      </Button>
      {opened !== 'never' && (
        <Suspense>
          <CopyToSubjectDialog
            {...{ route, view, others }}
            addOns={isStandard(line) ? addOns : []}
            open={opened === 'open'}
            onClose={() => setOpened('closed')}
          />
        </Suspense>
      )}
    </>
  )
}
