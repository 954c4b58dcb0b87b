/** Two ticks: delivered. */
export const DoubleTick = () => (
  <svg
    width="15"
    height="11"
    viewBox="0 0 15 11"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.500"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M1 6l3 3 5.500-7.500M7 8.500l.8.8L13.500 1.500" />
  </svg>
)
