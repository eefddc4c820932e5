// exit: 4
@ $$$ ))) int } { ( 12ab 'x "
