/** The first argument with which the program only holds a connection to a bus. */
export const HOLD_BUS_CONNECTION = "hold-bus-connection";
