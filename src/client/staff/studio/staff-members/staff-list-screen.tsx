import Plus from 'lucide-react/icons/plus'
import { useMemo, useState } from 'react'
import { ListFilter } from '#client/staff/kit/list/list-filter.tsx'
import { ListScreen } from '#client/staff/kit/list/list-screen.tsx'
import { useList } from '#client/staff/kit/list/use-list.ts'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { staffUrls } from '#client/staff/kit/routing/staff-urls.ts'
import { StaffScreen } from '#client/staff/kit/screen/staff-screen.tsx'
import { listInvitations, listUsers, type StudioUser } from '#contract/studio/accounts.ts'
import { studioRoles } from '#contract/system/auth.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import type { Column } from '#ui/table/data-table.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { OpenInvitations } from './open-invitations.tsx'
import { roleNames } from './role-names.ts'
import styles from './staff-list-screen.module.css'
import { UserDialog } from './user-dialog.tsx'

const columnsWith = (open: (id: number) => void): readonly Column<StudioUser>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ id, name }) => (
      <button type="button" className={styles.name} onClick={() => open(id)}>
        {name}
      </button>
    ),
  },
  { id: 'email', header: 'Email', sort: 'email', cell: ({ email }) => email },
  { id: 'role', header: 'Role', sort: 'role', cell: ({ role }) => roleNames[role] },
  {
    id: 'signedInAt',
    header: 'Signed in',
    sort: 'signedInAt',
    cell: ({ signedInAt }) => (signedInAt ? formatDate(signedInAt) : 'Never'),
  },
  { id: 'state', header: 'May sign in', cell: ({ isDisabled }) => (isDisabled ? 'No' : 'Yes') },
]

const choices = [
  { value: '', label: 'Everybody' },
  { value: 'owner', label: 'Owners' },
  { value: 'staff', label: 'Staff' },
] as const

/** The studio's staff and invitations. Owners invite, change and remove them. */
export const StaffListScreen = ({ studioId }: { studioId: number }) => {
  const list = useList(['type'])
  const query = { ...list.query, type: studioRoles.find((role) => role === list.chosen.type) }
  const users = useStaffQuery(listUsers, { params: { studioId }, query })
  const invitations = useStaffQuery(listInvitations, { params: { studioId } })
  const [openId, setOpenId] = useState<number | null>(null)
  const [isInviting, setInviting] = useState(false)
  const columns = useMemo(() => columnsWith(setOpenId), [])
  const opened = users.data && toPage(users.data).resultItems.find(({ id }) => id === openId)
  const invite = (
    <Button icon={Plus} onClick={() => setInviting(true)}>
      Invite somebody
    </Button>
  )
  return (
    <StaffScreen
      title="Staff"
      trail={[{ label: 'Settings', href: staffUrls.studio(studioId, 'settings') }]}
      actions={invite}
      lead="Owners see the studio’s money and say who works here. Staff work on events, people, pictures and orders."
    >
      <ListScreen
        label="Staff"
        searchPlaceholder="Name or email"
        list={list}
        query={users}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        filters={<ListFilter list={list} name="type" label="Role" options={choices} />}
        empty={
          <EmptyState title="Nobody works here yet" action={invite}>
            <p>Whoever you invite gets an e-mail with a link, and appears here once they have accepted.</p>
          </EmptyState>
        }
      />
      <section className={styles.invitations} aria-labelledby="staff-invitations">
        <h2 id="staff-invitations">Invitations</h2>
        <QueryBoundary query={invitations}>
          {(data) => <OpenInvitations studioId={studioId} invitations={toPage(data).resultItems} />}
        </QueryBoundary>
      </section>
      {isInviting && <InviteDialog studioId={studioId} onClose={() => setInviting(false)} />}
      {opened && <UserDialog key={opened.id} studioId={studioId} user={opened} onClose={() => setOpenId(null)} />}
    </StaffScreen>
  )
}
