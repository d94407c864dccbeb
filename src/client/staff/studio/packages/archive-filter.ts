/** Options of the archive filter for packages and package sets. */
export const archiveFilterOptions = [
  { value: '', label: 'In use' },
  { value: 'archived', label: 'In the archive' },
] as const
