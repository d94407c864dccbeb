import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { QueryBoundary } from '#client/staff/kit/query/query-boundary.tsx'
import { useStaffMutation } from '#client/staff/kit/query/use-staff-mutation.ts'
import { useStaffQuery } from '#client/staff/kit/query/use-staff-query.ts'
import { StateBadge } from '#client/staff/kit/screen/state-badge.tsx'
import { type ApiToken, deleteApiToken, listApiTokens } from '#contract/studio/developers/api-tokens.ts'
import { apiAreaLabels, apiAreas, apiTokenPrefix } from '#domain/developers/api-scopes.ts'
import { formatDate } from '#domain/shared/dates.ts'
import { toPage } from '#domain/shared/paging.ts'
import { Button } from '#ui/button/button.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { type Column, DataTable } from '#ui/table/data-table.tsx'
import { toast } from '#ui/toast/toast.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { WideSection } from './wide-section.tsx'

/** The areas of a token: “Orders, Jobs (read)”. */
const accessOf = ({ scopes }: ApiToken): string =>
  apiAreas
    .filter((area) => scopes.some((scope) => scope.startsWith(`${area}:`)))
    .map((area) => `${apiAreaLabels[area].name}${scopes.includes(`${area}:write`) ? '' : ' (read)'}`)
    .join(', ')

const columnsFor = (onRevoke: (token: ApiToken) => void): readonly Column<ApiToken>[] => [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'hint', header: 'Token', cell: ({ hint }) => `${apiTokenPrefix}…${hint}` },
  { id: 'access', header: 'May use', cell: accessOf },
  { id: 'createdBy', header: 'Created by', cell: ({ createdBy }) => createdBy },
  {
    id: 'lastUsedAt',
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? formatDate(lastUsedAt) : 'Never'),
  },
  {
    id: 'expiresAt',
    header: 'Expires',
    cell: ({ expiresAt, isExpired, isEnded }) =>
      isEnded || isExpired ? (
        <StateBadge tone="attention">{isEnded ? 'Ended' : 'Expired'}</StateBadge>
      ) : (
        formatDate(expiresAt)
      ),
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (token) => (
      <Button variant="quiet" size="sm" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
        Revoke
      </Button>
    ),
  },
]

const useRevocation = (studioId: number) => {
  const { mutate } = useStaffMutation(deleteApiToken)
  return async ({ id, name }: ApiToken) => {
    const isSure = await confirm({
      title: `Revoke “${name}”?`,
      message: 'Programs that use this token are refused from their next request.',
      confirmText: 'Revoke',
      danger: true,
    })
    if (!isSure) return
    const answer = await mutate({ params: { studioId, tokenId: id } })
    if (answer.ok) toast(`“${name}” is revoked`)
  }
}

/** The API tokens of the studio's owners: lists, creates and revokes them. */
export const TokensPanel = ({ studioId }: { studioId: number }) => {
  const query = useStaffQuery(listApiTokens, { params: { studioId } })
  const [isCreating, setCreating] = useState(false)
  const revoke = useRevocation(studioId)
  return (
    <WideSection
      title="Tokens"
      lead="A program signs in with a token instead of a password. Your tokens end when you get a new password or are signed out everywhere."
      action={
        <Button variant="secondary" icon={Plus} onClick={() => setCreating(true)}>
          New token
        </Button>
      }
    >
      <QueryBoundary query={query}>
        {(data) => {
          const tokens = toPage(data).resultItems
          if (tokens.length === 0) return <p>No tokens yet.</p>
          return (
            <DataTable
              label="Tokens"
              columns={columnsFor((token) => void revoke(token))}
              rows={tokens}
              idOf={({ id }) => String(id)}
              nameOf={({ name }) => name}
            />
          )
        }}
      </QueryBoundary>
      {isCreating && <NewTokenDialog studioId={studioId} onClose={() => setCreating(false)} />}
    </WideSection>
  )
}
