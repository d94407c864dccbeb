import { Link } from 'wouter'
import { listPackagesOfStudio, type PackageRow } from '../../../contract/studio/package-sets.ts'
import { ListScreen } from '../../staff/list-screen.tsx'
import { StaffScreen } from '../../staff/staff-screen.tsx'
import { staffUrls } from '../../staff/staff-urls.ts'
import { useAnswer } from '../../staff/use-answer.ts'
import { useList } from '../../staff/use-list.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { packageColumns } from './package-columns.tsx'
import { packageUrl, setUrl } from './package-urls.ts'

/** Every package of a studio, whatever set it is in. */
export const StudioPackagesScreen = ({ studioId }: { studioId: number }) => {
  const list = useList()
  const reading = useAnswer(listPackagesOfStudio, { params: { studioId }, query: list.query })
  const columns = [
    ...packageColumns(({ packageSetId, id }) => packageUrl({ studioId }, packageSetId, id)),
    {
      id: 'set',
      header: 'Package set',
      sort: 'set',
      cell: ({ packageSetId, packageSetName }: PackageRow) => (
        <Link href={setUrl({ studioId }, packageSetId)}>{packageSetName}</Link>
      ),
    },
  ]
  const toSets = <ButtonLink href={staffUrls.studio(studioId, 'pkg-set-mgmt')}>Package sets</ButtonLink>
  return (
    <StaffScreen title="Packages">
      <ListScreen
        label="Packages"
        seek="Name"
        list={list}
        reading={reading}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        empty={
          <EmptyState title="No packages yet" action={toSets}>
            <p>Packages are made in a package set, and a job offers one set.</p>
          </EmptyState>
        }
      />
    </StaffScreen>
  )
}
