import { useState } from 'react'
import { useLocation } from 'wouter'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { listPackageSets, type PackageSet } from '#contract/studio/package-sets.ts'
import { toPage } from '#domain/shared/paging.ts'
import { validationMessages } from '#domain/shared/validators.ts'
import { Button } from '#ui/button/button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Field } from '#ui/form/field.tsx'
import { Form } from '#ui/form/form.tsx'
import { Select } from '#ui/form/select.tsx'
import { packageUrl } from '../package-urls.ts'
import { PackageSetDialog } from './package-set-dialog.tsx'

type ChoosePackageSetDialogProps = { studioId: number; onClose: () => void }

/** Chooses or creates the set of a new package, then opens the editor. */
export const ChoosePackageSetDialog = ({ studioId, onClose }: ChoosePackageSetDialogProps) => {
  const [, navigate] = useLocation()
  const [isCreatingSet, setCreatingSet] = useState(false)
  const query = useStaffQuery(listPackageSets, { params: { studioId }, query: { type: 'current', sort: 'name' } })
  const openEditor = (packageSetId: number) => navigate(packageUrl({ studioId }, packageSetId, 'new'))
  if (isCreatingSet)
    return <PackageSetDialog studioId={studioId} set={null} onClose={onClose} onSaved={({ id }) => openEditor(id)} />
  return (
    <Dialog open onClose={onClose} title="Add a package" size="small">
      <QueryBoundary query={query}>
        {(sets) => (
          <PackageSetSelect
            sets={toPage(sets).resultItems}
            onChoose={openEditor}
            onNewSet={() => setCreatingSet(true)}
          />
        )}
      </QueryBoundary>
    </Dialog>
  )
}

type PackageSetSelectProps = {
  sets: readonly PackageSet[]
  onChoose: (packageSetId: number) => void
  onNewSet: () => void
}

const PackageSetSelect = ({ sets, onChoose, onNewSet }: PackageSetSelectProps) => {
  const [onlySet] = sets.length === 1 ? sets : []
  const [selectedId, setSelectedId] = useState(onlySet ? String(onlySet.id) : '')
  const [isMissing, setMissing] = useState(false)
  const options = sets.map(({ id, name }) => ({ value: String(id), label: name }))
  if (sets.length === 0) {
    return (
      <>
        <p>A package belongs to a package set, and this studio has none yet.</p>
        <Button onClick={onNewSet}>New package set</Button>
      </>
    )
  }
  return (
    <Form
      onSubmit={() => {
        if (selectedId === '') return setMissing(true)
        onChoose(Number(selectedId))
      }}
    >
      <Field label="Package set" errors={isMissing ? [validationMessages.required] : undefined} required>
        <Select
          value={selectedId}
          options={options}
          placeholder="Choose a set"
          onValue={(value) => {
            setSelectedId(value)
            setMissing(false)
          }}
        />
      </Field>
      <Button type="submit">Continue</Button>
      <Button variant="quiet" onClick={onNewSet}>
        New package set
      </Button>
    </Form>
  )
}
