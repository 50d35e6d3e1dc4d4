// Two houses in a row.

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect class="logo-ground" width="32" height="32" rx="7" />
      <path class="logo-house" d="M6 15l5-4.500 5 4.500v10H6z" />
      <path class="logo-house" data-second d="M16 15l5-4.500 5 4.500v10H16z" />
      <path class="logo-row" d="M9 17h4v1.800H9zM9 20.400h4v1.800H9zM19 17h4v1.800h-4zM19 20.400h4v1.800h-4z" />
    </svg>
  );
}
